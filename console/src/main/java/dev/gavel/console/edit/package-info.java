/**
 * Other arguments for a call: what is wrong with them by the tool's own schema ({@link dev.gavel.console.edit.Schema}),
 * where ({@link dev.gavel.console.edit.Places}), and how they differ from those proposed ({@link
 * dev.gavel.console.edit.Difference}).
 */
@NullMarked
package dev.gavel.console.edit;

import org.jspecify.annotations.NullMarked;
