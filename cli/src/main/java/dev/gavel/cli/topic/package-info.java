/** Commands that list the topics and print the envelopes of a topic. */
@NullMarked
package dev.gavel.cli.topic;

import org.jspecify.annotations.NullMarked;
