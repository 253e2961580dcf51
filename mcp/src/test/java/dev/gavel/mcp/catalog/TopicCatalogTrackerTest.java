package dev.gavel.mcp.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.member.Member;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeDraft;
import dev.gavel.mcpx.EnvelopeLimits;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.Payload;
import dev.gavel.mcpx.SyntaxVersion;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TopicCatalogTrackerTest {
    private static final Member SERVER = member("mcp.response.*", "mcp.request.notifications/*");

    private final Here here = new Here();
    private final TopicCatalogTracker topicCatalogTracker = new TopicCatalogTracker(here, Set.of());

    private record Asked(
            String id,
            String participant,
            McpListType what,
            @Nullable String cursor) {}

    /** A topic whose time advances when the test says so. */
    private static final class Here implements TopicCatalogTracker.TopicContext {
        final List<Asked> asked = new ArrayList<>();
        final List<McpListType> changed = new ArrayList<>();
        private final Map<Long, List<Runnable>> plans = new TreeMap<>(Comparator.naturalOrder());
        private long now;

        @Override
        public String topic() {
            return "t";
        }

        @Override
        public String requestPage(String participant, McpListType what, @Nullable String cursor) {
            Asked question = new Asked("q" + asked.size(), participant, what, cursor);
            asked.add(question);
            return question.id();
        }

        @Override
        public void onListChanged(McpListType what) {
            changed.add(what);
        }

        @Override
        public void schedule(Runnable what, long millis) {
            plans.computeIfAbsent(now + millis, time -> new ArrayList<>()).add(what);
        }

        void pass(long seconds) {
            long until = now + seconds * 1_000;
            while (true) {
                Long next = plans.keySet().stream()
                        .filter(time -> time <= until)
                        .findFirst()
                        .orElse(null);
                if (next == null) {
                    break;
                }
                now = next;
                List<Runnable> due = plans.remove(next);
                if (due != null) {
                    due.forEach(Runnable::run);
                }
            }
            now = until;
        }
    }

    private static Member member(String... capabilities) {
        return new Member("server", CapabilitySet.compile(List.of(capabilities)).orThrow());
    }

    private void hear(EnvelopeDraft draft, String payload) {
        byte[] bytes = draft.withSender("server", Instant.EPOCH)
                .encode(
                        SyntaxVersion.CURRENT,
                        Payload.of(payload.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
        if (new EnvelopeReader(EnvelopeLimits.NONE).read(bytes) instanceof Envelope envelope) {
            topicCatalogTracker.onEnvelope("server", envelope);
        } else {
            throw new IllegalArgumentException("no envelope: " + new String(bytes, StandardCharsets.UTF_8));
        }
    }

    private void answer(Asked question, String rest) {
        hear(
                EnvelopeDraft.of(
                                "a" + question.id(),
                                Kind.of("mcp.response." + question.what().method()))
                        .withCorrelationIds(List.of(question.id())),
                "{'jsonrpc':'2.0','id':'" + question.id() + "'," + rest + "}");
    }

    private void list(Asked question, String... names) {
        answer(
                question,
                "'result':{'" + question.what().resultField() + "':[" + entries(question.what(), names) + "]}");
    }

    private static String entries(McpListType what, String... names) {
        return String.join(
                ",",
                List.of(names).stream()
                        .map(name -> "{'" + what.keyField() + "':'" + name + "'}")
                        .toList());
    }

    private void toolsChanged() {
        hear(
                EnvelopeDraft.of("n", Kind.of("mcp.request.notifications/tools/list_changed")),
                "{'jsonrpc':'2.0','method':'notifications/tools/list_changed'}");
    }

    private List<Asked> asked(Predicate<Asked> which) {
        return here.asked.stream().filter(which).toList();
    }

    private List<Asked> tools() {
        return asked(each -> each.what() == McpListType.TOOLS);
    }

    private Set<String> known() {
        return topicCatalogTracker
                .catalog()
                .ofParticipant("server")
                .map(participantCatalog ->
                        participantCatalog.list(McpListType.TOOLS).keySet())
                .orElse(Set.of());
    }

    private void begin(String... tools) {
        topicCatalogTracker.onJoin(SERVER);
        assertThat(topicCatalogTracker.whenLoaded(1_000)).isNotDone();
        for (Asked question : List.copyOf(here.asked)) {
            list(question, question.what() == McpListType.TOOLS ? tools : new String[0]);
        }
        assertThat(topicCatalogTracker.waiterCount()).isZero();
    }

    @Test
    void whoeverCameIsAskedOnceSomebodyWantsToKnow() {
        topicCatalogTracker.onJoin(SERVER);
        assertThat(here.asked).isEmpty();
        CompletableFuture<Void> settled = topicCatalogTracker.whenLoaded(1_000);
        assertThat(here.asked).hasSize(4);
        here.asked.subList(0, 3).forEach(this::list);
        assertThat(settled).isNotDone();
        list(here.asked.get(3));
        assertThat(settled).isDone();
    }

    @Test
    void nobodyIsHeldUpLongNorRememberedForever() {
        topicCatalogTracker.onJoin(SERVER);
        CompletableFuture<Void> settled = topicCatalogTracker.whenLoaded(1_000);
        here.pass(1);
        assertThat(settled).isDone();
        assertThat(topicCatalogTracker.waiterCount()).isZero();
        assertThat(topicCatalogTracker.whenLoaded(1_000)).isNotDone();
        here.pass(9);
        assertThat(topicCatalogTracker.whenLoaded(1_000)).isDone();
        toolsChanged();
        assertThat(topicCatalogTracker.whenLoaded(1_000)).isDone();
    }

    @Test
    void whoeverWasSilentHoldsNobodyUpAfterComingBack() {
        topicCatalogTracker.onJoin(SERVER);
        assertThat(topicCatalogTracker.whenLoaded(1_000)).isNotDone();
        topicCatalogTracker.onLeave(SERVER);
        topicCatalogTracker.onJoin(SERVER);
        assertThat(here.asked).hasSize(8);
        assertThat(topicCatalogTracker.whenLoaded(1_000)).isDone();
        here.asked.subList(4, 8).forEach(this::list);
        topicCatalogTracker.onLeave(SERVER);
        topicCatalogTracker.onJoin(SERVER);
        assertThat(topicCatalogTracker.whenLoaded(1_000)).isNotDone();
    }

    @Test
    void whoeverAnsweredOnceHoldsNobodyUpWhenListsChange() {
        begin("a");
        toolsChanged();
        assertThat(tools()).hasSize(2);
        assertThat(topicCatalogTracker.whenLoaded(1_000)).isDone();
    }

    @Test
    void anErrorTakesNothingAway() {
        begin("a");
        toolsChanged();
        answer(tools().getLast(), "'error':{'code':-32603,'message':'not now'}");
        assertThat(known()).containsExactly("a");
        toolsChanged();
        list(tools().getLast());
        assertThat(known()).isEmpty();
    }

    @Test
    void anUnansweredQuestionIsAskedAgainEverMoreSeldomAndALateAnswerCounts() {
        topicCatalogTracker.onJoin(SERVER);
        assertThat(topicCatalogTracker.whenLoaded(1_000)).isNotDone();
        here.pass(9);
        assertThat(tools()).hasSize(1);
        here.pass(1);
        assertThat(tools()).hasSize(2);
        here.pass(29);
        assertThat(tools()).hasSize(2);
        here.pass(1);
        assertThat(tools()).hasSize(3);
        here.pass(60);
        assertThat(tools()).hasSize(4);
        list(tools().getFirst(), "late");
        assertThat(known()).containsExactly("late");
        list(tools().getLast(), "later");
        assertThat(known()).containsExactly("late");
        here.pass(1_000);
        assertThat(tools()).hasSize(4);
        assertThat(asked(each -> each.what() == McpListType.PROMPTS)).hasSize(4);
        toolsChanged();
        assertThat(tools()).hasSize(5);
    }

    @Test
    void aListThatChangesWhileItIsAskedForIsAskedForOnceMoreEvenIfNoAnswerComes() {
        begin("a");
        toolsChanged();
        toolsChanged();
        toolsChanged();
        assertThat(tools()).hasSize(2);
        list(tools().getLast(), "b");
        assertThat(tools()).hasSize(3);
        toolsChanged();
        here.pass(10);
        assertThat(tools()).hasSize(4);
        list(tools().get(2), "stale");
        assertThat(known()).containsExactly("b");
        list(tools().get(3), "c");
        assertThat(known()).containsExactly("c");
    }

    @Test
    void pagesAreReadOneAfterTheOtherButNotForever() {
        topicCatalogTracker.onJoin(SERVER);
        assertThat(topicCatalogTracker.whenLoaded(1_000)).isNotDone();
        for (int page = 0; page < 60 && tools().size() == page + 1; page++) {
            answer(
                    tools().getLast(),
                    "'result':{'nextCursor':'c" + page + "','tools':[" + entries(McpListType.TOOLS, "t" + page) + "]}");
        }
        assertThat(tools()).hasSize(50);
        assertThat(tools().get(1).cursor()).isEqualTo("c0");
        assertThat(known()).hasSize(50);
    }

    @Test
    void whatIsKeptOfAListIsBounded() {
        topicCatalogTracker.onJoin(SERVER);
        assertThat(topicCatalogTracker.whenLoaded(1_000)).isNotDone();
        String filler = "x".repeat(500_000);
        for (int page = 0; page < 10 && tools().size() == page + 1; page++) {
            answer(
                    tools().getLast(),
                    "'result':{'nextCursor':'c','tools':[{'name':'t" + page + "','description':'" + filler + "'}]}");
        }
        assertThat(known()).containsExactly("t0", "t1", "t2", "t3");
        here.pass(1_000);
        assertThat(tools()).hasSize(5);
    }

    @Test
    void whoeverMayAnswerNoMoreOffersNothingAndWhoeverMayNowIsAsked() {
        begin("a");
        here.changed.clear();
        topicCatalogTracker.onMemberChanged(member("chat.*"));
        assertThat(topicCatalogTracker.catalog().ofParticipant("server")).isEmpty();
        assertThat(here.changed).contains(McpListType.TOOLS);
        topicCatalogTracker.onMemberChanged(SERVER);
        assertThat(tools()).hasSize(2);
        list(tools().getLast(), "b");
        assertThat(known()).containsExactly("b");
        topicCatalogTracker.onMemberChanged(SERVER);
        assertThat(tools()).hasSize(2);
    }
}
