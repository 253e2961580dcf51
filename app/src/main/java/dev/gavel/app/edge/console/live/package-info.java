/**
 * Keeps open pages true: that something happened ({@link dev.gavel.app.edge.console.live.Newsroom}), what a page is told
 * of it ({@link dev.gavel.app.edge.console.live.Teller}), and the stream it is told by.
 */
@NullMarked
package dev.gavel.app.edge.console.live;

import org.jspecify.annotations.NullMarked;
