/** How are progress and results shown? */
@NullMarked
package io.kmodel.indexer.cli.view;

import org.jspecify.annotations.NullMarked;
