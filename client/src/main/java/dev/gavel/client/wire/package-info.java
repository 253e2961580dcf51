/** The envelopes that participants send, their ids, and when to try again. */
@NullMarked
package dev.gavel.client.wire;

import org.jspecify.annotations.NullMarked;
