package dev.gavel.mcp.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.tool.ToolListState;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeDraft;
import dev.gavel.mcpx.EnvelopeLimits;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.mcpx.EnvelopeSyntax;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.RawPayload;
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

    private final FakeTopicContext context = new FakeTopicContext();
    private final TopicCatalogTracker topicCatalogTracker = new TopicCatalogTracker(context, Set.of());

    private record PageRequest(
            String id,
            String participant,
            McpListType listType,
            @Nullable String cursor) {}

    /** A topic whose time advances when the test says so. */
    private static final class FakeTopicContext implements TopicCatalogTracker.TopicContext {
        final List<PageRequest> requests = new ArrayList<>();
        final List<McpListType> changedLists = new ArrayList<>();
        private final Map<Long, List<Runnable>> scheduledTasks = new TreeMap<>(Comparator.naturalOrder());
        private long now;

        @Override
        public String topic() {
            return "t";
        }

        @Override
        public String requestPage(String participant, McpListType what, @Nullable String cursor) {
            PageRequest request = new PageRequest("q" + requests.size(), participant, what, cursor);
            requests.add(request);
            return request.id();
        }

        @Override
        public void onListChanged(McpListType what) {
            changedLists.add(what);
        }

        @Override
        public void schedule(Runnable what, long millis) {
            scheduledTasks
                    .computeIfAbsent(now + millis, time -> new ArrayList<>())
                    .add(what);
        }

        void advanceSeconds(long seconds) {
            long until = now + seconds * 1_000;
            while (true) {
                Long next = scheduledTasks.keySet().stream()
                        .filter(time -> time <= until)
                        .findFirst()
                        .orElse(null);
                if (next == null) {
                    break;
                }
                now = next;
                List<Runnable> due = scheduledTasks.remove(next);
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

    private void receive(EnvelopeDraft draft, String payload) {
        byte[] bytes = draft.withSender("server", Instant.EPOCH)
                .encode(
                        EnvelopeSyntax.CURRENT,
                        RawPayload.of(payload.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
        if (new EnvelopeReader(EnvelopeLimits.NONE).read(bytes) instanceof Envelope envelope) {
            topicCatalogTracker.onEnvelope("server", envelope);
        } else {
            throw new IllegalArgumentException("no envelope: " + new String(bytes, StandardCharsets.UTF_8));
        }
    }

    private void respond(PageRequest request, String rest) {
        receive(
                EnvelopeDraft.of(
                                "a" + request.id(),
                                Kind.of("mcp.response." + request.listType().method()))
                        .withCorrelationIds(List.of(request.id())),
                "{'jsonrpc':'2.0','id':'" + request.id() + "'," + rest + "}");
    }

    private void respondWithList(PageRequest request, String... names) {
        respond(
                request,
                "'result':{'" + request.listType().resultField() + "':[" + entries(request.listType(), names) + "]}");
    }

    private static String entries(McpListType what, String... names) {
        return String.join(
                ",",
                List.of(names).stream()
                        .map(name -> "{'" + what.keyField() + "':'" + name + "'}")
                        .toList());
    }

    private void notifyToolsChanged() {
        receive(
                EnvelopeDraft.of("n", Kind.of("mcp.request.notifications/tools/list_changed")),
                "{'jsonrpc':'2.0','method':'notifications/tools/list_changed'}");
    }

    private List<PageRequest> requests(Predicate<PageRequest> filter) {
        return context.requests.stream().filter(filter).toList();
    }

    private List<PageRequest> toolRequests() {
        return requests(each -> each.listType() == McpListType.TOOLS);
    }

    private Set<String> knownTools() {
        return topicCatalogTracker
                .catalog()
                .findParticipant("server")
                .map(participantCatalog ->
                        participantCatalog.list(McpListType.TOOLS).keySet())
                .orElse(Set.of());
    }

    private void joinAndLoad(String... tools) {
        topicCatalogTracker.onJoin(SERVER);
        assertThat(topicCatalogTracker.whenLoaded(1_000)).isNotDone();
        for (PageRequest request : List.copyOf(context.requests)) {
            respondWithList(request, request.listType() == McpListType.TOOLS ? tools : new String[0]);
        }
        assertThat(topicCatalogTracker.waiterCount()).isZero();
    }

    @Test
    void queriesParticipantWhenCatalogIsLoaded() {
        topicCatalogTracker.onJoin(SERVER);
        assertThat(context.requests).isEmpty();
        CompletableFuture<Void> loaded = topicCatalogTracker.whenLoaded(1_000);
        assertThat(context.requests).hasSize(4);
        context.requests.subList(0, 3).forEach(this::respondWithList);
        assertThat(loaded).isNotDone();
        respondWithList(context.requests.get(3));
        assertThat(loaded).isDone();
    }

    private void loadTools(String... names) {
        topicCatalogTracker.onJoin(SERVER);
        notifyToolsChanged();
        respondWithList(toolRequests().getLast(), names);
    }

    @Test
    void toolsAreOutdatedFromTheAnnouncementToTheResponse() {
        loadTools("a");
        assertThat(topicCatalogTracker.toolListState("server")).isEqualTo(ToolListState.CURRENT);

        notifyToolsChanged();
        assertThat(topicCatalogTracker.toolListState("server")).isEqualTo(ToolListState.REFETCHING);
        CompletableFuture<Void> refetched = topicCatalogTracker.awaitRefetch(List.of("server"));
        // Announced during the fetch: its response may be outdated already.
        notifyToolsChanged();
        respondWithList(toolRequests().getLast(), "b");
        assertThat(topicCatalogTracker.toolListState("server")).isEqualTo(ToolListState.REFETCHING);
        assertThat(refetched).isNotDone();
        respondWithList(toolRequests().getLast(), "c");

        assertThat(topicCatalogTracker.toolListState("server")).isEqualTo(ToolListState.CURRENT);
        assertThat(refetched).isDone();
        context.advanceSeconds(3);
        assertThat(topicCatalogTracker.toolListState("server")).isEqualTo(ToolListState.CURRENT);
    }

    @Test
    void toolsThatAreNotListedInTimeAreOverdueUntilTheyAre() {
        loadTools("a");
        notifyToolsChanged();
        CompletableFuture<Void> refetched = topicCatalogTracker.awaitRefetch(List.of("server"));
        context.advanceSeconds(2);
        assertThat(refetched).isDone();
        assertThat(topicCatalogTracker.toolListState("server")).isEqualTo(ToolListState.OVERDUE);
        assertThat(topicCatalogTracker.awaitRefetch(List.of("server"))).isDone();

        // An error is an answer, but not a list. The next approval asks again.
        respond(toolRequests().getLast(), "'error':{'code':-32603,'message':'broken'}");
        assertThat(topicCatalogTracker.toolListState("server")).isEqualTo(ToolListState.OVERDUE);
        int before = toolRequests().size();
        assertThat(topicCatalogTracker.awaitRefetch(List.of("server"))).isDone();
        assertThat(toolRequests()).hasSize(before + 1);
        respondWithList(toolRequests().getLast(), "a");
        assertThat(topicCatalogTracker.toolListState("server")).isEqualTo(ToolListState.CURRENT);
    }

    @Test
    void definitionsWithSecretsAreKeptWhenTheParticipantLeaves() {
        topicCatalogTracker.onJoin(SERVER);
        notifyToolsChanged();
        respond(
                toolRequests().getLast(),
                "'result':{'tools':[{'name':'a','inputSchema':{'properties':{'pin':{'format':'password'}}}},"
                        + "{'name':'b','inputSchema':{}}]}");
        topicCatalogTracker.onLeave(SERVER);
        assertThat(topicCatalogTracker.lastListedTools().find("a")).hasSize(1);
        assertThat(topicCatalogTracker.lastListedTools().find("b")).isEmpty();
        loadTools("a");
        assertThat(topicCatalogTracker.lastListedTools().find("a")).isEmpty();
    }

    @Test
    void loadTimesOut() {
        topicCatalogTracker.onJoin(SERVER);
        CompletableFuture<Void> loaded = topicCatalogTracker.whenLoaded(1_000);
        context.advanceSeconds(1);
        assertThat(loaded).isDone();
        assertThat(topicCatalogTracker.waiterCount()).isZero();
        assertThat(topicCatalogTracker.whenLoaded(1_000)).isNotDone();
        context.advanceSeconds(9);
        assertThat(topicCatalogTracker.whenLoaded(1_000)).isDone();
        notifyToolsChanged();
        assertThat(topicCatalogTracker.whenLoaded(1_000)).isDone();
    }

    @Test
    void unresponsiveParticipantIsNotAwaitedAfterRejoin() {
        topicCatalogTracker.onJoin(SERVER);
        assertThat(topicCatalogTracker.whenLoaded(1_000)).isNotDone();
        topicCatalogTracker.onLeave(SERVER);
        topicCatalogTracker.onJoin(SERVER);
        assertThat(context.requests).hasSize(8);
        assertThat(topicCatalogTracker.whenLoaded(1_000)).isDone();
        context.requests.subList(4, 8).forEach(this::respondWithList);
        topicCatalogTracker.onLeave(SERVER);
        topicCatalogTracker.onJoin(SERVER);
        assertThat(topicCatalogTracker.whenLoaded(1_000)).isNotDone();
    }

    @Test
    void changedListIsNotAwaited() {
        joinAndLoad("a");
        notifyToolsChanged();
        assertThat(toolRequests()).hasSize(2);
        assertThat(topicCatalogTracker.whenLoaded(1_000)).isDone();
    }

    @Test
    void errorKeepsPreviousList() {
        joinAndLoad("a");
        notifyToolsChanged();
        respond(toolRequests().getLast(), "'error':{'code':-32603,'message':'not now'}");
        assertThat(knownTools()).containsExactly("a");
        notifyToolsChanged();
        respondWithList(toolRequests().getLast());
        assertThat(knownTools()).isEmpty();
    }

    private boolean isToolListLoaded() {
        return topicCatalogTracker
                .catalog()
                .findParticipant("server")
                .filter(catalog -> catalog.isLoaded(McpListType.TOOLS))
                .isPresent();
    }

    @Test
    void otherListsSayNothingAboutTools() {
        topicCatalogTracker.onJoin(SERVER);
        assertThat(topicCatalogTracker.whenLoaded(1_000)).isNotDone();
        respondWithList(requests(each -> each.listType() == McpListType.PROMPTS).getFirst(), "greet");
        assertThat(topicCatalogTracker.catalog().findParticipant("server")).isPresent();
        assertThat(isToolListLoaded()).isFalse();
        respond(toolRequests().getFirst(), "'error':{'code':-32603,'message':'not now'}");
        assertThat(isToolListLoaded()).isFalse();
    }

    @Test
    void anEmptyListIsLoadedAndIsNotAChange() {
        topicCatalogTracker.onJoin(SERVER);
        assertThat(topicCatalogTracker.whenLoaded(1_000)).isNotDone();
        respondWithList(toolRequests().getFirst());
        assertThat(isToolListLoaded()).isTrue();
        topicCatalogTracker.onLeave(SERVER);
        assertThat(isToolListLoaded()).isFalse();
        assertThat(context.changedLists).isEmpty();
    }

    @Test
    void retriesWithBackoffAndAcceptsLateResponse() {
        topicCatalogTracker.onJoin(SERVER);
        assertThat(topicCatalogTracker.whenLoaded(1_000)).isNotDone();
        context.advanceSeconds(9);
        assertThat(toolRequests()).hasSize(1);
        context.advanceSeconds(1);
        assertThat(toolRequests()).hasSize(2);
        context.advanceSeconds(29);
        assertThat(toolRequests()).hasSize(2);
        context.advanceSeconds(1);
        assertThat(toolRequests()).hasSize(3);
        context.advanceSeconds(60);
        assertThat(toolRequests()).hasSize(4);
        respondWithList(toolRequests().getFirst(), "late");
        assertThat(knownTools()).containsExactly("late");
        respondWithList(toolRequests().getLast(), "later");
        assertThat(knownTools()).containsExactly("late");
        context.advanceSeconds(1_000);
        assertThat(toolRequests()).hasSize(4);
        assertThat(requests(each -> each.listType() == McpListType.PROMPTS)).hasSize(4);
        notifyToolsChanged();
        assertThat(toolRequests()).hasSize(5);
    }

    @Test
    void refetchesListChangedDuringFetch() {
        joinAndLoad("a");
        notifyToolsChanged();
        notifyToolsChanged();
        notifyToolsChanged();
        assertThat(toolRequests()).hasSize(2);
        respondWithList(toolRequests().getLast(), "b");
        assertThat(toolRequests()).hasSize(3);
        notifyToolsChanged();
        context.advanceSeconds(10);
        assertThat(toolRequests()).hasSize(4);
        respondWithList(toolRequests().get(2), "stale");
        assertThat(knownTools()).containsExactly("b");
        respondWithList(toolRequests().get(3), "c");
        assertThat(knownTools()).containsExactly("c");
    }

    @Test
    void limitsPages() {
        topicCatalogTracker.onJoin(SERVER);
        assertThat(topicCatalogTracker.whenLoaded(1_000)).isNotDone();
        for (int page = 0; page < 60 && toolRequests().size() == page + 1; page++) {
            respond(
                    toolRequests().getLast(),
                    "'result':{'nextCursor':'c" + page + "','tools':[" + entries(McpListType.TOOLS, "t" + page) + "]}");
        }
        assertThat(toolRequests()).hasSize(50);
        assertThat(toolRequests().get(1).cursor()).isEqualTo("c0");
        assertThat(knownTools()).hasSize(50);
    }

    @Test
    void limitsListSize() {
        topicCatalogTracker.onJoin(SERVER);
        assertThat(topicCatalogTracker.whenLoaded(1_000)).isNotDone();
        String filler = "x".repeat(4_000_000);
        for (int page = 0; page < 10 && toolRequests().size() == page + 1; page++) {
            respond(
                    toolRequests().getLast(),
                    "'result':{'nextCursor':'c','tools':[{'name':'t" + page + "','description':'" + filler + "'}]}");
        }
        assertThat(knownTools()).containsExactly("t0", "t1", "t2", "t3");
        context.advanceSeconds(1_000);
        assertThat(toolRequests()).hasSize(5);
    }

    @Test
    void capabilityChangeRemovesOrQueriesParticipant() {
        joinAndLoad("a");
        context.changedLists.clear();
        topicCatalogTracker.onMemberChanged(member("chat.*"));
        assertThat(topicCatalogTracker.catalog().findParticipant("server")).isEmpty();
        assertThat(context.changedLists).contains(McpListType.TOOLS);
        topicCatalogTracker.onMemberChanged(SERVER);
        assertThat(toolRequests()).hasSize(2);
        respondWithList(toolRequests().getLast(), "b");
        assertThat(knownTools()).containsExactly("b");
        topicCatalogTracker.onMemberChanged(SERVER);
        assertThat(toolRequests()).hasSize(2);
    }
}
