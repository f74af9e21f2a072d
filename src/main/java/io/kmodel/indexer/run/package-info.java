/** How do tokens become packed keys, and sorted keys a run on disk? */
@NullMarked
package io.kmodel.indexer.run;

import org.jspecify.annotations.NullMarked;
