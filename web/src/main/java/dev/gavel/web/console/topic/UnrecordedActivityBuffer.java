package dev.gavel.web.console.topic;

import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.proposal.ProposalVisibility;
import dev.gavel.gateway.topic.Topic;
import dev.gavel.gateway.topic.TopicListener;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.SystemMessage;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.PayloadJsonConverter;
import dev.gavel.web.console.topic.ActivityRow.Category;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;

/**
 * Keeps each topic's latest activity that the ledger does not store, such as chat, so that a reloaded page still shows
 * it. This also works in a browser without scripts. The buffer is bounded, and lost when the process ends. Thread-safe.
 */
final class UnrecordedActivityBuffer implements TopicListener {
    /** Limits each category separately, so that a burst in one category does not remove the activity of the others. */
    private static final int MAX_PER_CATEGORY = 100;

    /** Of a longer chat message, only the beginning of the text is stored. */
    private static final int MAX_PAYLOAD_BYTES = 8 * 1024;

    private static final int MAX_TEXT_LENGTH = 4_000;

    /** A participant that returns within this time only opened another page, or reconnected. */
    private static final Duration RECONNECT_TIME = Duration.ofSeconds(30);

    private static final Set<String> CALLS = Set.of("tools/call", "prompts/get", "resources/read");

    private final InstantSource clock;
    private final String bufferId;
    private final Map<String, TopicBuffer> buffers = new ConcurrentHashMap<>();

    UnrecordedActivityBuffer(InstantSource clock) {
        this.clock = clock;
        byte[] random = new byte[4];
        new SecureRandom().nextBytes(random);
        this.bufferId = HexFormat.of().formatHex(random);
    }

    /** The activity of one topic. */
    private static final class TopicBuffer {
        private final Map<Category, Deque<UnrecordedActivity>> activities = new EnumMap<>(Category.class);
        private long number;

        synchronized long number() {
            return number;
        }

        private synchronized void add(LongFunction<UnrecordedActivity> factory) {
            append(factory.apply(++number));
        }

        private void append(UnrecordedActivity activity) {
            Deque<UnrecordedActivity> queue =
                    activities.computeIfAbsent(activity.category(), key -> new ArrayDeque<>());
            queue.addLast(activity);
            if (queue.size() > MAX_PER_CATEGORY) {
                queue.removeFirst();
            }
        }

        synchronized List<UnrecordedActivity> after(long known) {
            return activities.values().stream()
                    .flatMap(Deque::stream)
                    .filter(each -> each.number() > known)
                    .sorted(Comparator.comparingLong(UnrecordedActivity::number))
                    .toList();
        }

        synchronized void addJoined(String who, Instant now) {
            Deque<UnrecordedActivity> presenceChanges =
                    activities.computeIfAbsent(Category.PRESENCE, key -> new ArrayDeque<>());
            Optional<UnrecordedActivity.PresenceChange> left = presenceChanges.reversed().stream()
                    .filter(each -> each instanceof UnrecordedActivity.PresenceChange presenceChange
                            && presenceChange.participant().equals(who))
                    .map(UnrecordedActivity.PresenceChange.class::cast)
                    .findFirst()
                    .filter(last ->
                            !last.joined() && !last.at().plus(RECONNECT_TIME).isBefore(now));
            long next = ++number;
            left.ifPresent(presenceChanges::remove);
            append(left.<UnrecordedActivity>map(
                            leftChange -> new UnrecordedActivity.Reconnected(next, now, who, leftChange.number()))
                    .orElseGet(() -> new UnrecordedActivity.PresenceChange(next, now, who, true)));
        }
    }

    private TopicBuffer buffer(Topic topic) {
        return buffers.computeIfAbsent(topic.name(), name -> new TopicBuffer());
    }

    @Override
    public void onParticipantJoined(Topic topic, Member member) {
        buffer(topic).addJoined(member.id(), clock.instant());
    }

    @Override
    public void onParticipantLeft(Topic topic, Member member) {
        Instant now = clock.instant();
        buffer(topic).add(number -> new UnrecordedActivity.PresenceChange(number, now, member.id(), false));
    }

    @Override
    public void onEnvelope(Topic topic, String from, Envelope envelope) {
        if (from.equals(SystemMessage.GATEWAY)) {
            return;
        }
        switch (envelope.category()) {
            case CHAT -> {
                byte[] payload = payload(envelope);
                Instant now = clock.instant();
                buffer(topic)
                        .add(number -> new UnrecordedActivity.ChatMessage(number, now, from, envelope.to(), payload));
            }
            case REQUEST -> {
                if (CALLS.contains(envelope.kind().method())) {
                    addSent(
                            topic,
                            Category.CALLS,
                            from,
                            "called",
                            ActivityRow.callName(envelope.kindWithContext()),
                            envelope.to());
                }
            }
            case PROPOSAL ->
                addSent(
                        topic,
                        Category.PROPOSALS,
                        from,
                        "proposed",
                        ActivityRow.callName(envelope.kindWithContext()),
                        envelope.to());
            case WITHDRAW -> addReference(topic, from, "withdrew", envelope);
            case REJECT -> addReference(topic, from, "rejected", envelope);
            case STATUS, RESPONSE, SYSTEM, OTHER -> {}
        }
    }

    private void addReference(Topic topic, String from, String verb, Envelope envelope) {
        addSent(topic, Category.PROPOSALS, from, verb, String.join(", ", envelope.correlationIds()), List.of());
    }

    private void addSent(Topic topic, Category category, String from, String verb, String what, List<String> to) {
        Instant now = clock.instant();
        buffer(topic).add(number -> new UnrecordedActivity.SentEnvelope(number, now, category, from, verb, what, to));
    }

    private static byte[] payload(Envelope envelope) {
        if (envelope.payload().length() <= MAX_PAYLOAD_BYTES) {
            return envelope.payload().toBytes();
        }
        String text = PayloadJsonConverter.of(envelope).at("text").text();
        // Fields other than the text may be long. Does not split a surrogate pair.
        String beginning = text.length() <= MAX_TEXT_LENGTH
                ? text
                : text.substring(0, text.offsetByCodePoints(0, MAX_TEXT_LENGTH / 2)) + "…";
        return Json.object().with("text", Json.ofText(beginning)).raw().getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the mark of the latest activity in a topic, from which a reader can continue. */
    String mark(Topic topic) {
        return bufferId + "-" + buffer(topic).number();
    }

    /** Returns the activity after a mark, in order, as rows for a reader. */
    ActivityBatch after(Topic topic, String mark, String reader) {
        ParticipantNameFormatter formatter = ParticipantNameFormatter.of(topic, reader);
        TopicBuffer topicBuffer = buffer(topic);
        List<UnrecordedActivity> unrecordedActivity = topicBuffer.after(number(mark));
        String now = unrecordedActivity.isEmpty()
                ? mark
                : bufferId + "-" + unrecordedActivity.getLast().number();
        return new ActivityBatch(
                unrecordedActivity.stream()
                        .filter(each -> topic.visibility() == ProposalVisibility.MEMBERS || each.involves(reader))
                        .map(each -> each.row(bufferId, formatter))
                        .toList(),
                now);
    }

    /**
     * Rows of activity.
     *
     * @param mark the mark from which the next call continues
     */
    record ActivityBatch(List<ActivityRow> rows, String mark) {}

    /** Returns the number in a mark; 0 for a mark of another process, whose activity is not known here. */
    private long number(String mark) {
        String rest = mark.startsWith(bufferId + "-") ? mark.substring(bufferId.length() + 1) : "";
        return rest.matches("\\d{1,18}") ? Long.parseLong(rest) : 0;
    }
}
