package dev.gavel.mcp.bridge;

import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.delivery.ConnectionCloseReason;
import dev.gavel.gateway.member.LiveMembership;
import dev.gavel.gateway.member.RevocableAccessGrant;
import dev.gavel.gateway.tool.ToolDefinition;
import dev.gavel.gateway.topic.InProcessConnection;
import dev.gavel.gateway.topic.SubscriptionScope;
import dev.gavel.gateway.topic.Topic;
import dev.gavel.gateway.topic.TopicConnection;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Connects a bridge to a topic when the gateway runs in the same process as the bridge. Thread-safe. */
public final class LocalTopicConnector implements TopicConnector {
    private final Gateway gateway;
    private final Topic topic;
    private final String member;
    private final BooleanSupplier isOwner;

    /**
     * Creates a connector for this member of this topic.
     *
     * @param ownerCheck whether this process owns the bridge; other processes may serve the topic too
     */
    public LocalTopicConnector(Gateway gateway, Topic topic, String member, BooleanSupplier ownerCheck) {
        this.gateway = gateway;
        this.topic = topic;
        this.member = member;
        this.isOwner = ownerCheck;
    }

    @Override
    public boolean isOwner() {
        return isOwner.getAsBoolean();
    }

    /** In a topic without a ledger, there are no approvals, whatever a request refers to. */
    @Override
    public boolean verifiesDefinition(TopicRequest call) {
        return topic.verifiesDirectCalls(member)
                && (call.proposal().isEmpty() || topic.proposalQueries().isEmpty());
    }

    @Override
    public Optional<String> definitionProblem(String tool, Optional<ToolDefinition> current) {
        return topic.directCallProblem(member, tool, current);
    }

    @Override
    public Optional<String> unavailableReason() {
        if (gateway.isDraining()) {
            return Optional.of("the gateway is shutting down");
        }
        if (!isOwner()) {
            return Optional.of("another process now runs this bridge");
        }
        return topic.membership(member).isPresent() ? Optional.empty() : Optional.of(notMemberMessage());
    }

    private String notMemberMessage() {
        return "'" + member + "' is no longer a member of topic '" + topic.name() + "'";
    }

    @Override
    public void findUnanswered(Consumer<TopicRequest> onFound) {
        topic.proposalQueries()
                .ifPresent(proposalQueries -> topic.member(member)
                        .ifPresent(topicMember -> new UnansweredRequestFinder(
                                        proposalQueries, topicMember, Instant.now(), this::isOwner, onFound)
                                .schedule(topic)));
    }

    @Override
    public TopicSession join(SessionListener sessionListener) throws IOException {
        LiveMembership membership = topic.membership(member).orElseThrow(() -> new IOException(notMemberMessage()));
        InProcessConnection inProcessConnection = gateway.connectInProcess(
                topic,
                membership,
                new RevocableAccessGrant(),
                new TopicConnection.SubscribeOptions(SubscriptionScope.DIRECTED, OptionalLong.empty()),
                new InProcessConnection.Listener() {
                    @Override
                    public void onEnvelope(byte[] envelope) {
                        sessionListener.onEnvelope(envelope);
                    }

                    @Override
                    public void onClose(ConnectionCloseReason closeReason) {
                        sessionListener.onRemoved(
                                closeReason == ConnectionCloseReason.REVOKED
                                        ? notMemberMessage()
                                        : "its connection to topic '" + topic.name() + "' was closed: "
                                                + closeReason.reason(),
                                false);
                    }
                });
        return new TopicSession() {
            @Override
            public void send(byte[] envelope, DeliveryMode deliveryMode, Consumer<String> onFailure) {
                inProcessConnection.send(envelope);
            }

            @Override
            public void close() {
                inProcessConnection.close();
            }
        };
    }
}
