/** Decides whether an envelope may enter a topic: rate limit, structure, sender identity and capabilities. */
@NullMarked
package dev.gavel.gateway.admission;

import org.jspecify.annotations.NullMarked;
