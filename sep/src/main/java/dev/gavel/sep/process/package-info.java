/** The processes that come with the program. */
@NullMarked
package dev.gavel.sep.process;

import org.jspecify.annotations.NullMarked;
