/** What does each command do? */
@NullMarked
package io.kmodel.indexer.cli.command;

import org.jspecify.annotations.NullMarked;
