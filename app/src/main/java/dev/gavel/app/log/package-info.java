/** How the program logs: {@link dev.gavel.app.log.LogSetup} decides, and each format has its own writer of lines. */
@NullMarked
package dev.gavel.app.log;

import org.jspecify.annotations.NullMarked;
