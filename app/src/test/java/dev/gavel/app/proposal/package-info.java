/** A proposal's life as those in a topic see it: the running server, its sockets and its HTTP, nothing of its insides. */
@NullMarked
package dev.gavel.app.proposal;

import org.jspecify.annotations.NullMarked;
