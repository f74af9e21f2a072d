/** Which text does an HTML page hold, exactly as jsoup gives it? */
@NullMarked
package io.kmodel.indexer.parse.html;

import org.jspecify.annotations.NullMarked;
