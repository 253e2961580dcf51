/**
 * A topic at run time: its connections, presence registry, proposals, sweepers and delivery to receivers. A topic is
 * confined to one event loop and uses no locks.
 */
@NullMarked
package dev.gavel.gateway.topic;

import org.jspecify.annotations.NullMarked;
