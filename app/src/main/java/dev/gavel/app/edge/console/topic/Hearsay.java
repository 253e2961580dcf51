package dev.gavel.app.edge.console.topic;

import dev.gavel.console.topic.Row;
import dev.gavel.console.topic.Row.Sort;
import dev.gavel.gateway.Listener;
import dev.gavel.gateway.Member;
import dev.gavel.gateway.Topic;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.SystemMessage;
import dev.gavel.mcpx.draft.Payloads;
import dev.gavel.mcpx.json.Json;
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
 * Remembers the last of what goes on in topics and no ledger keeps: what is said, who comes and goes, calls without a
 * proposal. So a page that is loaded anew still has them, also where no script runs. Bounded, and gone with the process.
 * Thread-safe.
 */
final class Hearsay implements Listener {
    /** So many of each sort, so that a flood of one leaves the others. */
    private static final int MOST = 100;

    /** A message that is longer is not remembered in full. */
    private static final int LONGEST = 8 * 1024;

    private static final int LONGEST_TEXT = 4_000;

    /** Whoever is back by then only went from one page to the next, or reconnected. */
    private static final Duration MOMENT = Duration.ofSeconds(30);

    private static final Set<String> CALLS = Set.of("tools/call", "prompts/get", "resources/read");

    private final InstantSource clock;
    private final String edition;
    private final Map<String, Ear> ears = new ConcurrentHashMap<>();

    Hearsay(InstantSource clock) {
        this.clock = clock;
        byte[] random = new byte[4];
        new SecureRandom().nextBytes(random);
        this.edition = HexFormat.of().formatHex(random);
    }

    /** What was heard in one topic. */
    private static final class Ear {
        private final Map<Sort, Deque<Heard>> heard = new EnumMap<>(Sort.class);
        private long number;

        synchronized long number() {
            return number;
        }

        private synchronized void add(LongFunction<Heard> making) {
            put(making.apply(++number));
        }

        private void put(Heard made) {
            Deque<Heard> sort = heard.computeIfAbsent(made.sort(), key -> new ArrayDeque<>());
            sort.addLast(made);
            if (sort.size() > MOST) {
                sort.removeFirst();
            }
        }

        synchronized List<Heard> after(long known) {
            return heard.values().stream()
                    .flatMap(Deque::stream)
                    .filter(each -> each.number() > known)
                    .sorted(Comparator.comparingLong(Heard::number))
                    .toList();
        }

        synchronized void came(String who, Instant now) {
            Deque<Heard> moves = heard.computeIfAbsent(Sort.PRESENCE, key -> new ArrayDeque<>());
            Optional<Heard.Moved> left = moves.reversed().stream()
                    .filter(each ->
                            each instanceof Heard.Moved moved && moved.who().equals(who))
                    .map(Heard.Moved.class::cast)
                    .findFirst()
                    .filter(last -> !last.came() && !last.at().plus(MOMENT).isBefore(now));
            long next = ++number;
            left.ifPresent(moves::remove);
            put(left.<Heard>map(undone -> new Heard.Back(next, now, who, undone.number()))
                    .orElseGet(() -> new Heard.Moved(next, now, who, true)));
        }
    }

    private Ear ear(Topic topic) {
        return ears.computeIfAbsent(topic.name(), name -> new Ear());
    }

    @Override
    public void came(Topic topic, Member member) {
        ear(topic).came(member.id(), clock.instant());
    }

    @Override
    public void left(Topic topic, Member member) {
        Instant now = clock.instant();
        ear(topic).add(number -> new Heard.Moved(number, now, member.id(), false));
    }

    @Override
    public void heard(Topic topic, String from, Envelope envelope) {
        if (from.equals(SystemMessage.GATEWAY)) {
            return;
        }
        switch (envelope.rule()) {
            case CHAT -> {
                byte[] payload = payload(envelope);
                Instant now = clock.instant();
                ear(topic).add(number -> new Heard.Said(number, now, from, payload));
            }
            case REQUEST -> {
                if (CALLS.contains(envelope.kind().method())) {
                    note(topic, Sort.CALLS, from, "called", Row.what(envelope.effectiveKind()), envelope.to());
                }
            }
            case PROPOSAL ->
                note(topic, Sort.PROPOSALS, from, "proposed", Row.what(envelope.effectiveKind()), envelope.to());
            case WITHDRAW -> remark(topic, from, "withdrew", envelope);
            case REJECT -> remark(topic, from, "rejected", envelope);
            case STATUS, RESPONSE, SYSTEM, OTHER -> {}
        }
    }

    private void remark(Topic topic, String from, String verb, Envelope envelope) {
        note(topic, Sort.PROPOSALS, from, verb, String.join(", ", envelope.correlationIds()), List.of());
    }

    private void note(Topic topic, Sort sort, String from, String verb, String what, List<String> to) {
        Instant now = clock.instant();
        ear(topic).add(number -> new Heard.Sent(number, now, sort, from, verb, what, to));
    }

    private static byte[] payload(Envelope envelope) {
        if (envelope.payload().length() <= LONGEST) {
            return envelope.payload().toBytes();
        }
        String text = Payloads.of(envelope).at("text").text();
        // Other fields may be what is long. Not between the halves of a character.
        String beginning = text.length() <= LONGEST_TEXT
                ? text
                : text.substring(0, text.offsetByCodePoints(0, LONGEST_TEXT / 2)) + "…";
        return Json.object().with("text", Json.ofText(beginning)).raw().getBytes(StandardCharsets.UTF_8);
    }

    /** How far everything in a topic is known now, for whoever asks on from there. */
    String mark(Topic topic) {
        return edition + "-" + ear(topic).number();
    }

    /** What was heard after a mark, in order, as a reader is shown it. */
    Told after(Topic topic, String mark, String reader) {
        Ear ear = ear(topic);
        List<Heard> heard = ear.after(number(mark));
        String now = heard.isEmpty() ? mark : edition + "-" + heard.getLast().number();
        return new Told(heard.stream().map(each -> each.row(edition, reader)).toList(), now);
    }

    /**
     * What there is to tell.
     *
     * @param mark where to go on
     */
    record Told(List<Row> rows, String mark) {}

    /** What another process has heard is not known here. */
    private long number(String mark) {
        String rest = mark.startsWith(edition + "-") ? mark.substring(edition.length() + 1) : "";
        return rest.matches("\\d{1,18}") ? Long.parseLong(rest) : 0;
    }
}
