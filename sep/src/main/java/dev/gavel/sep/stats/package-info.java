/** How a process goes: figures from the histories of proposals, and from nothing else. Pure; time is an argument. */
@NullMarked
package dev.gavel.sep.stats;

import org.jspecify.annotations.NullMarked;
