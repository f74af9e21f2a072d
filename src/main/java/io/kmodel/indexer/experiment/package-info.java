/** How fast is it, against whom, and are the results equal? */
@NullMarked
package io.kmodel.indexer.experiment;

import org.jspecify.annotations.NullMarked;
