/** The wiring: {@link dev.gavel.app.server.GavelServer} builds the running gateway out of its parts and stops it. */
@NullMarked
package dev.gavel.app.server;

import org.jspecify.annotations.NullMarked;
