/** Specification proposals as people write them: Markdown, read leniently and never refused. Pure. */
@NullMarked
package dev.gavel.sep.document;

import org.jspecify.annotations.NullMarked;
