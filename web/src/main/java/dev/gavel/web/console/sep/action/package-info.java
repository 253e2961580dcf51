/** Forms by which users act on SEPs, and the editor in which they write SEP documents. */
@NullMarked
package dev.gavel.web.console.sep.action;

import org.jspecify.annotations.NullMarked;
