package dev.gavel.web.http;

import dev.gavel.gateway.member.LiveMembership;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.member.RevocableAccessGrant;
import dev.gavel.gateway.topic.Topic;
import dev.gavel.gateway.topic.TopicConnection;
import dev.gavel.mcpx.EnvelopeSyntax;

/**
 * The result of checking whether a request may access a topic: granted with the sender's membership, or denied with an
 * HTTP problem.
 */
public sealed interface TopicAccessResult {
    /** An authenticated member of an existing topic. */
    record Granted(
            Topic topic,
            LiveMembership membership,
            RevocableAccessGrant accessGrant,
            TopicConnection.SubscribeOptions options,
            EnvelopeSyntax syntax)
            implements TopicAccessResult {
        public Member member() {
            return membership.member();
        }
    }

    /** Access is denied. */
    record Denied(HttpProblem problem) implements TopicAccessResult {}
}
