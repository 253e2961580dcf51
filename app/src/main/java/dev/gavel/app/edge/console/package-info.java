/**
 * The console's routes: who is signed in ({@link dev.gavel.app.edge.console.Sessions}), pages asked for and decisions sent
 * by forms ({@link dev.gavel.app.edge.console.Console}), and the stream that keeps an open page true ({@link
 * dev.gavel.app.edge.console.Newsroom}). What is on the pages is {@code dev.gavel.console}'s.
 */
@NullMarked
package dev.gavel.app.edge.console;

import org.jspecify.annotations.NullMarked;
