/** The SEP desk over HTTP: which path is which verb, and what each reply is as an answer. */
@NullMarked
package dev.gavel.app.edge.sep;

import org.jspecify.annotations.NullMarked;
