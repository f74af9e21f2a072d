@NullMarked
package io.kmodel.indexer.cli;

import org.jspecify.annotations.NullMarked;
