/** What waits on somebody: its pages, its decisions, and what its open pages are told. */
@NullMarked
package dev.gavel.app.edge.console.inbox;

import org.jspecify.annotations.NullMarked;
