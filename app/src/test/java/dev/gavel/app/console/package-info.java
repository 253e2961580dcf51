/** Tests of the console in a real browser, against a real server. */
@NullMarked
package dev.gavel.app.console;

import org.jspecify.annotations.NullMarked;
