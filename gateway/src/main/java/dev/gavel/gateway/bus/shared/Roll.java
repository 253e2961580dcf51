package dev.gavel.gateway.bus.shared;

import dev.gavel.gateway.bus.Sent;
import dev.gavel.gateway.bus.Stay;
import dev.gavel.mcpx.Capabilities;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who is present in this process, and what others are told of it. Every change has the next revision and is said under the
 * same lock as the heartbeats, so whoever hears a revision out of turn has missed something. Thread-safe.
 */
final class Roll {
    private static final Logger log = LoggerFactory.getLogger(Roll.class);

    /** About so many bytes of an answer are said at once. */
    private static final int PIECE = 64 * 1024;

    /** What a member takes besides its capabilities, generously. */
    private static final int OVERHEAD = 64;

    private final Supplier<@Nullable Voice> voice;
    private final Map<String, Map<String, Stay>> present = new HashMap<>();
    private long revision;

    Roll(Supplier<@Nullable Voice> voice) {
        this.voice = voice;
    }

    synchronized void here(String topic, Stay stay) {
        Stay before = present.computeIfAbsent(topic, name -> new HashMap<>()).put(stay.member(), stay);
        if (!stay.equals(before)) {
            revision++;
            say(new Message.Came(revision, topic, stay));
        }
    }

    synchronized void gone(String topic, String member) {
        Map<String, Stay> members = present.get(topic);
        if (members != null && members.remove(member) != null) {
            revision++;
            say(new Message.Left(revision, topic, member));
        }
    }

    synchronized void beat() {
        say(new Message.Beat(revision));
    }

    synchronized void askAll() {
        say(new Message.Ask(revision));
    }

    synchronized void ask(String process) {
        say(Channels.to(process), new Message.Ask(revision));
    }

    /** Says who is present, in pieces, to one who asked. */
    synchronized void answer(String process, long asked) {
        List<Message.Presence> piece = new ArrayList<>();
        int index = 0;
        int size = 0;
        for (Map.Entry<String, Map<String, Stay>> topic : present.entrySet()) {
            for (Stay stay : topic.getValue().values()) {
                int more =
                        OVERHEAD + topic.getKey().length() + 4 * stay.member().length() + weight(stay);
                if (size + more > PIECE && !piece.isEmpty()) {
                    say(Channels.to(process), new Message.Answer(asked, revision, index++, false, piece));
                    piece = new ArrayList<>();
                    size = 0;
                }
                piece.add(new Message.Presence(topic.getKey(), stay));
                size += more;
            }
        }
        say(Channels.to(process), new Message.Answer(asked, revision, index, true, piece));
    }

    /** About how many bytes its capabilities are. */
    private static int weight(Stay stay) {
        return stay.capabilities().asList().stream()
                .mapToInt(each -> each.toString().length() + 4)
                .sum();
    }

    private void say(Message message) {
        say(Channels.HERE, message);
    }

    /** What is not said is found missing by its revision, and asked for. */
    private void say(String channel, Message message) {
        Voice now = voice.get();
        if (now != null && now.say(channel, message) == Sent.TOO_LARGE) {
            now.say(channel, powerless(message));
        }
    }

    /** Others had better think that somebody can do nothing than that nobody is here. */
    private static Message powerless(Message message) {
        log.warn("other processes take somebody for one who may do nothing: the capabilities of one member have more"
                + " bytes than the bus takes at once; use wildcards, or have the bus take more (max_payload of NATS)");
        return switch (message) {
            case Message.Came(long revision, String topic, Stay stay) ->
                new Message.Came(revision, topic, powerless(stay));
            case Message.Answer answer ->
                new Message.Answer(
                        answer.asked(),
                        answer.revision(),
                        answer.index(),
                        answer.last(),
                        answer.present().stream()
                                .map(each -> new Message.Presence(each.topic(), powerless(each.stay())))
                                .toList());
            default -> message;
        };
    }

    private static Stay powerless(Stay stay) {
        return new Stay(stay.member(), Capabilities.NONE, stay.claim());
    }
}
