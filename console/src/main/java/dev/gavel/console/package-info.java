/** The pages people look at. */
@NullMarked
package dev.gavel.console;

import org.jspecify.annotations.NullMarked;
