/** What messages between processes travel on, whatever they say: {@link dev.gavel.gateway.bus.wire.Wire}. */
@NullMarked
package dev.gavel.gateway.bus.wire;

import org.jspecify.annotations.NullMarked;
