/** The inbox: pages on which a reviewer reads and decides proposals and finds SEPs to act on. */
@NullMarked
package dev.gavel.web.console.inbox;

import org.jspecify.annotations.NullMarked;
