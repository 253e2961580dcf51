package dev.gavel.gateway.bus.cluster;

import dev.gavel.gateway.bus.BusSendResult;
import dev.gavel.gateway.bus.MemberPresence;
import dev.gavel.mcpx.CapabilitySet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells other gateway processes which members are present in this one, and numbers each change so that they notice
 * missed changes. Each change is sent with the next revision under the lock that heartbeats use too, so a process that
 * receives a revision out of sequence knows that it missed a change. Thread-safe.
 */
final class LocalPresenceAnnouncer {
    private static final Logger log = LoggerFactory.getLogger(LocalPresenceAnnouncer.class);

    /** The approximate number of bytes in one chunk of a presence response. */
    private static final int CHUNK_BYTES = 64 * 1024;

    /** An upper estimate of a member's bytes besides its capabilities. */
    private static final int MEMBER_OVERHEAD_BYTES = 64;

    private final Supplier<@Nullable BusSender> sender;
    private final Map<String, Map<String, MemberPresence>> presencesByTopic = new HashMap<>();
    private long revision;

    LocalPresenceAnnouncer(Supplier<@Nullable BusSender> busSender) {
        this.sender = busSender;
    }

    synchronized void announceJoined(String topic, MemberPresence memberPresence) {
        MemberPresence before = presencesByTopic
                .computeIfAbsent(topic, name -> new HashMap<>())
                .put(memberPresence.member(), memberPresence);
        if (!memberPresence.equals(before)) {
            revision++;
            send(new BusMessage.MemberJoined(revision, topic, memberPresence));
        }
    }

    synchronized void announceLeft(String topic, String member) {
        Map<String, MemberPresence> members = presencesByTopic.get(topic);
        if (members != null && members.remove(member) != null) {
            revision++;
            send(new BusMessage.MemberLeft(revision, topic, member));
        }
    }

    synchronized void sendHeartbeat() {
        send(new BusMessage.Heartbeat(revision));
    }

    synchronized void requestAllPresence(long requestId) {
        send(new BusMessage.PresenceRequest(requestId, revision));
    }

    synchronized void requestPresence(String process, long requestId) {
        send(BusChannelNames.toProcess(process), new BusMessage.PresenceRequest(requestId, revision));
    }

    /** Sends the present members, in chunks, to a process that requested them. */
    synchronized void sendPresence(String process, long requestId) {
        List<BusMessage.TopicPresence> chunk = new ArrayList<>();
        int index = 0;
        int size = 0;
        for (Map.Entry<String, Map<String, MemberPresence>> topic : presencesByTopic.entrySet()) {
            for (MemberPresence memberPresence : topic.getValue().values()) {
                int memberBytes = MEMBER_OVERHEAD_BYTES
                        + topic.getKey().length()
                        + 4 * memberPresence.member().length()
                        + estimatedBytes(memberPresence);
                if (size + memberBytes > CHUNK_BYTES && !chunk.isEmpty()) {
                    send(
                            BusChannelNames.toProcess(process),
                            new BusMessage.PresenceResponse(requestId, revision, index++, false, chunk));
                    chunk = new ArrayList<>();
                    size = 0;
                }
                chunk.add(new BusMessage.TopicPresence(topic.getKey(), memberPresence));
                size += memberBytes;
            }
        }
        send(
                BusChannelNames.toProcess(process),
                new BusMessage.PresenceResponse(requestId, revision, index, true, chunk));
    }

    /** Estimates the number of bytes of the member's capabilities. */
    private static int estimatedBytes(MemberPresence memberPresence) {
        return memberPresence.capabilitySet().asList().stream()
                .mapToInt(each -> each.toString().length() + 4)
                .sum();
    }

    private void send(BusMessage message) {
        send(BusChannelNames.PRESENCE, message);
    }

    /** If a message is not sent, the other processes detect the missing revision and request it. */
    private void send(String channel, BusMessage message) {
        BusSender currentSender = sender.get();
        if (currentSender != null && currentSender.send(channel, message) == BusSendResult.TOO_LARGE) {
            currentSender.send(channel, withoutCapabilities(message));
        }
    }

    /** It is better if other processes see a present member without capabilities than if they see no member. */
    private static BusMessage withoutCapabilities(BusMessage message) {
        log.warn("Other processes see a member without capabilities, because the member's capabilities do not fit into"
                + " one bus message. Use wildcards in the capabilities, or increase max_payload in NATS.");
        return switch (message) {
            case BusMessage.MemberJoined(long revision, String topic, MemberPresence memberPresence) ->
                new BusMessage.MemberJoined(revision, topic, withoutCapabilities(memberPresence));
            case BusMessage.PresenceResponse presenceResponse ->
                new BusMessage.PresenceResponse(
                        presenceResponse.requestId(),
                        presenceResponse.revision(),
                        presenceResponse.index(),
                        presenceResponse.last(),
                        presenceResponse.presences().stream()
                                .map(each -> new BusMessage.TopicPresence(
                                        each.topic(), withoutCapabilities(each.presence())))
                                .toList());
            default -> message;
        };
    }

    private static MemberPresence withoutCapabilities(MemberPresence memberPresence) {
        return new MemberPresence(memberPresence.member(), CapabilitySet.NONE, memberPresence.socketPrecedence());
    }
}
