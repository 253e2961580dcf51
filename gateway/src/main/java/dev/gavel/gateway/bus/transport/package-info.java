/** The publish/subscribe transport that bus messages travel on, independent of their content. */
@NullMarked
package dev.gavel.gateway.bus.transport;

import org.jspecify.annotations.NullMarked;
