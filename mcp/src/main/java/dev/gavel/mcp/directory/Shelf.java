package dev.gavel.mcp.directory;

import dev.gavel.gateway.Member;
import dev.gavel.gateway.Topic;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.draft.Payloads;
import dev.gavel.mcpx.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What the participants of one topic offer. Confined to the topic's loop, but for {@link #offers}. */
final class Shelf {
    private static final Kind ANSWER = Kind.of("mcp.response.tools/list");
    private static final Kind CALL = Kind.of("mcp.request.tools/call");
    private static final int MOST_ENTRIES = 5_000;
    private static final long ANSWER_MILLIS = 10_000;

    private final Topic topic;
    private final Directory directory;
    private final Map<String, Question> questions = new HashMap<>();

    /** Lists that changed again while they were asked for. */
    private final Set<List<Object>> again = new HashSet<>();

    /** Those who may serve something, and are to be asked once somebody wants to know. */
    private final Set<String> unasked = new LinkedHashSet<>();

    private boolean wanted;

    private final List<CompletableFuture<Void>> waiting = new ArrayList<>();

    /** Those who are still to be seen here: bridges that are being started. */
    private final Set<String> expected;

    private final Map<String, Offer> known = new TreeMap<>();
    private volatile Map<String, Offer> offers = Map.of();

    private record Question(String participant, Listed what, List<Json> before) {}

    Shelf(Topic topic, Directory directory, Set<String> expected) {
        this.topic = topic;
        this.directory = directory;
        this.expected = new HashSet<>(expected);
    }

    /** What each offers, by id, in the ids' order. From any thread. */
    Map<String, Offer> offers() {
        return offers;
    }

    /**
     * Takes note of whoever looks like somebody that serves: they may answer, and may not call themselves. They are asked as
     * soon as an MCP client wants to know; until then nobody hears anything of us who did not say that their lists changed.
     */
    void came(Member member) {
        if (member.capabilities().admitsKind(ANSWER) && !member.capabilities().admitsKind(CALL)) {
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
        unasked.remove(member.id());
        questions.values().removeIf(question -> question.participant().equals(member.id()));
        if (known.remove(member.id()) != null) {
            publish();
            for (Listed what : Listed.values()) {
                directory.changed(topic, what);
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
                Question question = questions.get(envelope.correlationIds().getFirst());
                if (question != null && question.participant().equals(from)) {
                    questions.remove(envelope.correlationIds().getFirst());
                    answered(question, Payloads.of(envelope).at("result"));
                }
            }
            default -> {}
        }
    }

    private void ask(String participant, Listed what) {
        if (questions.values().stream()
                .anyMatch(each -> each.participant().equals(participant) && each.what() == what)) {
            again.add(List.of(participant, what));
        } else {
            ask(new Question(participant, what, List.of()), null);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // what was answered by then is no longer there to be given up
    private void ask(Question question, @Nullable String cursor) {
        String id = directory.ask(topic, question.participant(), question.what(), cursor);
        questions.put(id, question);
        topic.loop()
                .schedule(
                        () -> {
                            if (questions.remove(id) != null) {
                                settle();
                            }
                        },
                        ANSWER_MILLIS,
                        TimeUnit.MILLISECONDS);
    }

    private void answered(Question question, Json result) {
        List<Json> entries = new ArrayList<>(question.before());
        entries.addAll(result.at(question.what().field()).elements());
        String cursor = result.at("nextCursor").ifText().orElse(null);
        if (cursor != null
                && entries.size() < MOST_ENTRIES
                && entries.size() > question.before().size()) {
            ask(new Question(question.participant(), question.what(), entries), cursor);
            return;
        }
        Offer before = known.getOrDefault(question.participant(), Offer.none(question.participant()));
        Offer after = before.with(question.what(), entries);
        known.put(question.participant(), after);
        publish();
        if (!after.of(question.what()).equals(before.of(question.what()))) {
            directory.changed(topic, question.what());
        }
        if (again.remove(List.<Object>of(question.participant(), question.what()))) {
            ask(question.participant(), question.what());
        }
        settle();
    }

    private void publish() {
        offers = new LinkedHashMap<>(known);
    }

    /** Asks whoever was not asked yet; done when nobody is asked any more, or a while has passed. */
    CompletableFuture<Void> settled(long patienceMillis) {
        wanted = true;
        List.copyOf(unasked).forEach(this::askAll);
        unasked.clear();
        CompletableFuture<Void> done = new CompletableFuture<>();
        waiting.add(done);
        settle();
        return done.completeOnTimeout(null, patienceMillis, TimeUnit.MILLISECONDS);
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
        if (questions.isEmpty() && expected.isEmpty() && !waiting.isEmpty()) {
            List<CompletableFuture<Void>> done = List.copyOf(waiting);
            waiting.clear();
            done.forEach(each -> each.complete(null));
        }
    }
}
