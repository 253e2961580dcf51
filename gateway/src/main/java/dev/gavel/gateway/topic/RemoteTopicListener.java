package dev.gavel.gateway.topic;

import dev.gavel.gateway.bus.ForwardedEnvelope;
import dev.gavel.gateway.bus.MemberPresence;
import dev.gavel.gateway.bus.TopicBusListener;
import dev.gavel.gateway.delivery.ConnectionCloseReason;
import dev.gavel.gateway.member.LiveMembership;
import dev.gavel.gateway.member.Member;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeReader;
import io.netty.util.concurrent.EventExecutor;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies to a topic the envelopes and presence changes from other gateway processes, and whether those processes can
 * be reached. Confined to the topic's loop.
 */
final class RemoteTopicListener implements TopicBusListener {
    private static final Logger log = LoggerFactory.getLogger(RemoteTopicListener.class);

    /** After this time it is known which members are present in other processes. */
    private static final long PRESENCE_WAIT_MILLIS = 2_500;

    /** After this time another process has noticed that the client of a new connection has gone. */
    private static final long REPLACE_DELAY_MILLIS = 1_000;

    private static final long MAX_HELD_BYTES = 8L * 1024 * 1024;
    private static final long MAX_HELD_MILLIS = 30_000;

    private final Topic topic;
    private final EventExecutor loop;
    private final InstantSource clock;
    private final EnvelopeReader envelopeReader;
    private final String process;

    /** The bytes of envelopes that wait until the events that their senders had seen are read from the ledger. */
    private long heldBytes;

    private boolean everReachable;

    RemoteTopicListener(Topic topic, EventExecutor loop, TopicServices topicServices) {
        this.topic = topic;
        this.loop = loop;
        this.clock = topicServices.clock();
        this.envelopeReader = topicServices.envelopeReader();
        this.process = topicServices.bus().processId();
    }

    @Override
    public void onEnvelope(ForwardedEnvelope forwardedEnvelope) {
        TopicProposals topicProposals = topic.proposals();
        int bytes = forwardedEnvelope.envelope().length;
        if (topicProposals == null) {
            deliver(forwardedEnvelope);
        } else if (heldBytes + bytes > MAX_HELD_BYTES) {
            logDropped(forwardedEnvelope, "the ledger cannot be read, and too many envelopes are waiting for it");
        } else {
            heldBytes += bytes;
            topicProposals.whenPublished(forwardedEnvelope.afterSeq(), MAX_HELD_MILLIS, published -> {
                heldBytes -= bytes;
                if (!published) {
                    logDropped(forwardedEnvelope, "the ledger could not be read in time");
                } else if (topicProposals.isOutOfOrder(forwardedEnvelope)) {
                    logDropped(forwardedEnvelope, "it arrived after later envelopes");
                } else {
                    deliver(forwardedEnvelope);
                }
            });
        }
    }

    private void logDropped(ForwardedEnvelope forwardedEnvelope, String reason) {
        log.atWarn()
                .addKeyValue("topic", topic.name())
                .addKeyValue("from", forwardedEnvelope.from())
                .log(
                        "An envelope from {} in topic '{}' was dropped: {}.",
                        forwardedEnvelope.from(),
                        topic.name(),
                        reason);
    }

    private void deliver(ForwardedEnvelope forwardedEnvelope) {
        if (envelopeReader.read(forwardedEnvelope.envelope()) instanceof Envelope envelope) {
            topic.inboundDispatcher().receive(forwardedEnvelope, envelope);
        }
    }

    /**
     * A member has at most one socket over all processes: the newest one stays. The older one is closed after a delay,
     * and only if the newer one is still open then. A process that was suspended may accept a connection whose client
     * has given it up and connected here instead; it notices a moment later that the client has gone.
     */
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // it runs, or the process stops before
    public void onMemberPresent(String otherProcess, MemberPresence memberPresence) {
        LiveMembership membership = topic.memberRegistry()
                .find(memberPresence.member())
                .orElseGet(
                        () -> new LiveMembership(new Member(memberPresence.member(), memberPresence.capabilitySet())));
        if (topic.presenceRegistry().addRemote(otherProcess, memberPresence, membership)) {
            topic.announceRemoteJoin(membership.member());
        }
        topic.presenceRegistry().connectionsOf(memberPresence.member()).stream()
                .filter(connection -> connection.isSocket()
                        && memberPresence.isNewerThan(connection.socketPrecedence(), otherProcess, process))
                .forEach(connection -> loop.schedule(
                        () -> closeIfSuperseded(connection), REPLACE_DELAY_MILLIS, TimeUnit.MILLISECONDS));
    }

    private void closeIfSuperseded(TopicConnection connection) {
        if (!connection.isClosed() && topic.presenceRegistry().isSuperseded(connection)) {
            topic.leave(connection);
            connection.close(ConnectionCloseReason.REPLACED);
        }
    }

    @Override
    public void onMemberAbsent(String otherProcess, String member) {
        Optional<Member> known = topic.presenceRegistry().presentMember(member);
        if (topic.presenceRegistry().removeRemote(otherProcess, member, clock.instant())) {
            known.ifPresent(topic::announceLeave);
        }
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // it runs, or the process stops before
    public void onReachabilityChanged(boolean reachable) {
        PresenceRegistry presenceRegistry = topic.presenceRegistry();
        if (!everReachable) {
            presenceRegistry.setUncertain(true);
            if (reachable) {
                everReachable = true;
                loop.schedule(() -> presenceRegistry.setUncertain(false), PRESENCE_WAIT_MILLIS, TimeUnit.MILLISECONDS);
            }
        }
        TopicProposals topicProposals = topic.proposals();
        if (topicProposals != null) {
            topicProposals.setBusReachable(reachable);
        }
    }
}
