/** The processes that come with the program, and whether proposals under way can go on when a process changes. */
@NullMarked
package dev.gavel.sep.process;

import org.jspecify.annotations.NullMarked;
