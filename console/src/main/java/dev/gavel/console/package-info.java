/**
 * The pages people look at: what is on them ({@link dev.gavel.console.Card}, {@link dev.gavel.console.Inbox}), how they
 * are written ({@link dev.gavel.console.Pages}, by the templates), and the files they come with ({@link
 * dev.gavel.console.Assets}). Pure: what is shown is a function of what is known.
 */
@NullMarked
package dev.gavel.console;

import org.jspecify.annotations.NullMarked;
