/** What changes SEPs: the forms people act by, what their readers are offered, and where documents are written. */
@NullMarked
package dev.gavel.console.sep.act;

import org.jspecify.annotations.NullMarked;
