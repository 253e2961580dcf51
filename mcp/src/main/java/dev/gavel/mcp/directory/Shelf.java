package dev.gavel.mcp.directory;

import dev.gavel.gateway.Member;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.draft.Payloads;
import dev.gavel.mcpx.json.Json;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the participants of one topic offer. Confined to the topic's loop, but for {@link #offers}. */
final class Shelf {
    private static final Logger log = LoggerFactory.getLogger(Shelf.class);

    private static final Kind ANSWER = Kind.of("mcp.response.tools/list");
    private static final Kind CALL = Kind.of("mcp.request.tools/call");

    /** How long an answer is waited for before it is asked for again; after the last, it is asked for no more. */
    private static final long[] ANSWER_MILLIS = {10_000, 30_000, 60_000, 60_000};

    /** The topic around it. */
    interface Place {
        /** Its name. */
        String topic();

        /** Asks a participant for a page of a list, and gives the id of the question. */
        String ask(String participant, Listed what, @Nullable String cursor);

        /** Says that something else is listed now. */
        void changed(Listed what);

        /** Does something on the topic's loop after a while. */
        void later(Runnable what, long millis);
    }

    private final Place place;
    private final Map<String, Inquiry> questions = new HashMap<>();
    private final Map<String, Map<Listed, Inquiry>> inquiries = new HashMap<>();

    /** Those who may serve something, and are to be asked once somebody wants to know. */
    private final Set<String> unasked = new LinkedHashSet<>();

    /** Who let the time for a list pass, or left without an answer. They are asked, but nobody waits until they answer. */
    private final Set<Silence> silent = new HashSet<>();

    private boolean wanted;

    /** Those who wait for what is asked for, in the order they came. */
    private final Map<Long, CompletableFuture<Void>> waiting = new LinkedHashMap<>();

    private long waiters;

    /** Those who are still to be seen here: bridges that are being started. */
    private final Set<String> expected;

    private final Map<String, Offer> known = new TreeMap<>();
    private volatile Assortment offers = Assortment.NOTHING;

    private record Silence(String participant, Listed about) {}

    Shelf(Place place, Set<String> expected) {
        this.place = place;
        this.expected = new HashSet<>(expected);
    }

    /** What each offers. From any thread. */
    Assortment offers() {
        return offers;
    }

    /**
     * Takes note of whoever looks like somebody that serves: they may answer, and may not call themselves. They are asked as
     * soon as an MCP client wants to know; until then nobody hears anything of us who did not say that their lists changed.
     */
    void came(Member member) {
        if (serves(member)) {
            if (wanted) {
                askAll(member.id());
            } else {
                unasked.add(member.id());
            }
        }
        expected.remove(member.id());
        settle();
    }

    void left(Member member) {
        inquiries.getOrDefault(member.id(), Map.of()).values().stream()
                .filter(Inquiry::awaited)
                .forEach(each -> silent.add(new Silence(member.id(), each.what())));
        drop(member.id());
    }

    /** Whoever may answer no more has nothing to offer; whoever may now is as good as new. */
    void changed(Member member) {
        if (!member.capabilities().admitsKind(ANSWER)) {
            drop(member.id());
        } else if (!serves(member)) {
            unasked.remove(member.id());
        } else if (!inquiries.containsKey(member.id())) {
            came(member);
        }
    }

    private static boolean serves(Member member) {
        return member.capabilities().admitsKind(ANSWER)
                && !member.capabilities().admitsKind(CALL);
    }

    private void drop(String participant) {
        unasked.remove(participant);
        inquiries.remove(participant);
        questions.values().removeIf(inquiry -> inquiry.participant().equals(participant));
        Offer gone = known.remove(participant);
        if (gone != null) {
            publish();
            for (Listed what : Listed.values()) {
                place.changed(what);
            }
        }
        settle();
    }

    private void askAll(String participant) {
        for (Listed what : Listed.values()) {
            ask(participant, what);
        }
    }

    void heard(String from, Envelope envelope) {
        String method = envelope.kind().method();
        if (method == null) {
            return;
        }
        switch (envelope.rule()) {
            case REQUEST -> {
                for (Listed what : Listed.of(method)) {
                    ask(from, what);
                }
            }
            case RESPONSE -> {
                Inquiry inquiry = questions.get(envelope.correlationIds().getFirst());
                if (inquiry != null && inquiry.participant().equals(from)) {
                    answered(inquiry, Payloads.of(envelope).at("result"));
                }
            }
            default -> {}
        }
    }

    private void ask(String participant, Listed what) {
        Inquiry inquiry = inquiries
                .computeIfAbsent(participant, id -> new EnumMap<>(Listed.class))
                .computeIfAbsent(
                        what, list -> new Inquiry(participant, list, !silent.contains(new Silence(participant, list))));
        if (inquiry.open() && inquiry.tries() == 0) {
            inquiry.changedMeanwhile();
        } else {
            restart(inquiry);
        }
    }

    private void restart(Inquiry inquiry) {
        inquiry.restart().forEach(questions::remove);
        ask(inquiry);
    }

    private void ask(Inquiry inquiry) {
        String id = place.ask(inquiry.participant(), inquiry.what(), inquiry.cursor());
        inquiry.asked(id);
        questions.put(id, inquiry);
        place.later(() -> passed(id), ANSWER_MILLIS[inquiry.tries()]);
    }

    /** An answer did not come in time. It is taken if it still comes while it is asked for again. */
    private void passed(String question) {
        Inquiry inquiry = questions.get(question);
        if (inquiry == null) {
            return;
        }
        silent.add(new Silence(inquiry.participant(), inquiry.what()));
        inquiry.letPass();
        if (inquiry.again()) {
            restart(inquiry);
        } else if (inquiry.tries() < ANSWER_MILLIS.length) {
            ask(inquiry);
        } else {
            inquiry.restart().forEach(questions::remove);
        }
        settle();
    }

    private void answered(Inquiry inquiry, Json result) {
        inquiry.settle().forEach(questions::remove);
        boolean listed = result.at(inquiry.what().field()).type() == Json.Type.ARRAY;
        if (listed && inquiry.take(result)) {
            ask(inquiry);
            return;
        }
        silent.remove(new Silence(inquiry.participant(), inquiry.what()));
        inquiry.answered();
        if (inquiry.toComplain()) {
            log.atWarn()
                    .addKeyValue("topic", place.topic())
                    .addKeyValue("participant", inquiry.participant())
                    .addKeyValue("list", inquiry.what().method())
                    .log("a participant lists more than is kept; the rest is left out");
        }
        Offer before = known.getOrDefault(inquiry.participant(), Offer.none(inquiry.participant()));
        // Whoever cannot list something now has not stopped offering it.
        if (listed || before.of(inquiry.what()).isEmpty()) {
            Offer after = before.with(inquiry.what(), inquiry.entries());
            if (!after.of(inquiry.what()).equals(before.of(inquiry.what()))) {
                known.put(inquiry.participant(), after);
                publish();
                place.changed(inquiry.what());
            }
        }
        inquiry.forgetEntries();
        if (inquiry.again()) {
            restart(inquiry);
        }
        settle();
    }

    private void publish() {
        offers = new Assortment(known.values());
    }

    /** Asks whoever was not asked yet; done when nobody is awaited any more, or a while has passed. */
    CompletableFuture<Void> settled(long patienceMillis) {
        wanted = true;
        List.copyOf(unasked).forEach(this::askAll);
        unasked.clear();
        CompletableFuture<Void> done = new CompletableFuture<>();
        long number = ++waiters;
        waiting.put(number, done);
        settle();
        if (!done.isDone()) {
            place.later(
                    () -> {
                        waiting.remove(number);
                        done.complete(null);
                    },
                    patienceMillis);
        }
        return done;
    }

    /** How many wait for what is still asked for. */
    int waiting() {
        return waiting.size();
    }

    boolean waitsForSomebody() {
        return !expected.isEmpty();
    }

    /** Whoever has not come by now is not waited for any more. */
    void expectNobody() {
        expected.clear();
        settle();
    }

    private void settle() {
        if (!waiting.isEmpty()
                && expected.isEmpty()
                && questions.values().stream().noneMatch(Inquiry::awaited)) {
            List<CompletableFuture<Void>> done = List.copyOf(waiting.values());
            waiting.clear();
            done.forEach(each -> each.complete(null));
        }
    }
}
