/**
 * Topics: who is there and what they may do, what happens ({@link dev.gavel.console.topic.Row}), their proposals, and the
 * story of one of these ({@link dev.gavel.console.topic.Story}).
 */
@NullMarked
package dev.gavel.console.topic;

import org.jspecify.annotations.NullMarked;
