/** How the program logs. */
@NullMarked
package dev.gavel.app.log;

import org.jspecify.annotations.NullMarked;
