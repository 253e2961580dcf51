/** Where SEPs are changed: by a form for each thing that can be done, and by writing their documents. */
@NullMarked
package dev.gavel.app.edge.console.sepact;

import org.jspecify.annotations.NullMarked;
