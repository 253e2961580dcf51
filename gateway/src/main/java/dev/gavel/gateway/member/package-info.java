/** Members of a topic: who they are, what they may send, and the revocable grant that a connection depends on. */
@NullMarked
package dev.gavel.gateway.member;

import org.jspecify.annotations.NullMarked;
