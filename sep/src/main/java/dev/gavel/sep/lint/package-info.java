/** What is wrong with a document, where, and how to mend it: {@link dev.gavel.sep.lint.Linter}. Pure. */
@NullMarked
package dev.gavel.sep.lint;

import org.jspecify.annotations.NullMarked;
