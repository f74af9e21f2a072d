/** How are files on servers listed and read? */
@NullMarked
package io.kmodel.indexer.source.remote;

import org.jspecify.annotations.NullMarked;
