/** Members of a topic: their ids, their capabilities, and the revocable grant that a connection depends on. */
@NullMarked
package dev.gavel.gateway.member;

import org.jspecify.annotations.NullMarked;
