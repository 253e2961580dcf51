/** The wiring: {@link dev.gavel.app.server.Server} builds the running gateway out of its parts. */
@NullMarked
package dev.gavel.app.server;

import org.jspecify.annotations.NullMarked;
