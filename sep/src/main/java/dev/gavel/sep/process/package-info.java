/** The built-in processes, and the check whether a changed process still fits the existing SEPs. */
@NullMarked
package dev.gavel.sep.process;

import org.jspecify.annotations.NullMarked;
