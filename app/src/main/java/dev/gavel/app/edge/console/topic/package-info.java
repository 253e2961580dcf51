/**
 * Where people look into topics: who is there, what happens ({@link dev.gavel.app.edge.console.topic.TopicTeller}), and
 * what was said a while ago ({@link dev.gavel.app.edge.console.topic.Hearsay}).
 */
@NullMarked
package dev.gavel.app.edge.console.topic;

import org.jspecify.annotations.NullMarked;
