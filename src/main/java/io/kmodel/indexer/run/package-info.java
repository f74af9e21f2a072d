/** How do tokens become packed keys, and ordered keys a run, in memory or on disk? */
@NullMarked
package io.kmodel.indexer.run;

import org.jspecify.annotations.NullMarked;
