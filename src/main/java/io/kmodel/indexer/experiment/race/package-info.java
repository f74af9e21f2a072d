/** How fast is a build beside other programs' builds of the same collection? */
@NullMarked
package io.kmodel.indexer.experiment.race;

import org.jspecify.annotations.NullMarked;
