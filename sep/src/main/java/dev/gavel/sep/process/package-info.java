/** Whether proposals under way can go on when a process file changes. Pure. */
@NullMarked
package dev.gavel.sep.process;

import org.jspecify.annotations.NullMarked;
