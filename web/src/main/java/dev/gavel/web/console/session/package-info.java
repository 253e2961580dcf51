/** Sign-in, sessions and request checks of the console, and the responses that carry its pages and refusals. */
@NullMarked
package dev.gavel.web.console.session;

import org.jspecify.annotations.NullMarked;
