/**
 * Builds, reads and exports indexes from other programs. {@link io.kmodel.indexer.api.IndexBuilder}
 * makes an index of documents that need not be files, {@link io.kmodel.indexer.api.Index} opens
 * one.
 *
 * <p>These classes are all that other programs should use; the other packages may change at any
 * time. Records may get further components, so programs should not construct them. Messages are for
 * people; they may name an option of the command, such as {@code --overwrite}, where {@link
 * io.kmodel.indexer.api.IndexSettings} has a method.
 *
 * <p>What can go wrong has one type each:
 *
 * <ul>
 *   <li>{@link java.lang.IllegalArgumentException}: a setting, document or query is invalid
 *   <li>{@link java.lang.IllegalStateException}: a method was called at the wrong time, or there is
 *       an error in this library
 *   <li>{@link io.kmodel.indexer.api.DamagedIndexException}: a file is not as it was written
 *   <li>{@link io.kmodel.indexer.api.IndexException}: something cannot be built, opened or exported
 *       for another reason that you can act on
 *   <li>{@link java.io.IOException}: reading or writing failed
 * </ul>
 */
@NullMarked
package io.kmodel.indexer.api;

import org.jspecify.annotations.NullMarked;
