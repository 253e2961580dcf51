/** The terminal a person sits at: what it is, the keys pressed there, what is drawn there. Knows nothing of Gavel. */
@NullMarked
package dev.gavel.app.terminal;

import org.jspecify.annotations.NullMarked;
