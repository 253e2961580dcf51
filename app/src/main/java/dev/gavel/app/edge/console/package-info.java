/**
 * The console's place in the server. Each part of it has a package here for its routes; what is on the pages is {@code
 * dev.gavel.console}'s.
 */
@NullMarked
package dev.gavel.app.edge.console;

import org.jspecify.annotations.NullMarked;
