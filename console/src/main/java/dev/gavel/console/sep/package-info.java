/**
 * Pages about SEPs that people read: the board, a SEP's page, and what concerns all of them. Made of the JSON that the
 * desk answers to their reader, so they know nothing that the API does not say.
 */
@NullMarked
package dev.gavel.console.sep;

import org.jspecify.annotations.NullMarked;
