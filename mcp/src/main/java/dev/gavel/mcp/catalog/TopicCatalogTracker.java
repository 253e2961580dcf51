package dev.gavel.mcp.catalog;

import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.tool.ToolListState;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.PayloadJsonConverter;
import java.util.ArrayList;
import java.util.Collection;
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
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches the lists of tools, prompts and resources from a topic's participants, refetches changed lists, and publishes
 * the topic's catalog. Confined to the topic's loop, but for {@link #catalog}, {@link #toolListState} and {@link
 * #lastListedTools}.
 */
final class TopicCatalogTracker {
    private static final Logger log = LoggerFactory.getLogger(TopicCatalogTracker.class);

    private static final Kind LIST_RESPONSE = Kind.of("mcp.response.tools/list");
    private static final Kind CALL = Kind.of("mcp.request.tools/call");

    /** The response timeout of each attempt. After the last one, the list is not requested again. */
    private static final long[] RESPONSE_TIMEOUT_MILLIS = {10_000, 30_000, 60_000, 60_000};

    /** How long a participant that announces a change of its tools may take to list them. */
    private static final long REFETCH_TIMEOUT_MILLIS = 2_000;

    /** The topic that the tracker belongs to. */
    interface TopicContext {
        /** Returns the name of the topic. */
        String topic();

        /** Requests a page of a list from a participant and returns the id of the request. */
        String requestPage(String participant, McpListType listType, @Nullable String cursor);

        /** Called when a list has changed. */
        void onListChanged(McpListType listType);

        /** Runs a task on the topic's loop after a delay. */
        void schedule(Runnable listType, long millis);
    }

    private final TopicContext topicContext;
    private final Map<String, ListFetchState> fetchesByRequest = new HashMap<>();
    private final Map<String, Map<McpListType, ListFetchState>> fetches = new HashMap<>();

    /** The participants that may be servers and are queried when a caller first loads the catalog. */
    private final Set<String> unfetchedParticipants = new LinkedHashSet<>();

    /**
     * The lists whose participant timed out or left without a response. They are still requested, but callers do not
     * wait for them.
     */
    private final Set<UnresponsiveList> unresponsiveLists = new HashSet<>();

    private boolean fetchEnabled;

    /** The callers that wait until the catalog is loaded, in order of arrival. */
    private final Map<Long, CompletableFuture<Void>> loadWaiters = new LinkedHashMap<>();

    private long waiterSequence;

    /** The participants that have not joined yet: bridges that are being started. */
    private final Set<String> expectedParticipants;

    /**
     * The participants that a server process itself connects. They are queried at once: this process may have started
     * after they announced their lists.
     */
    private final Set<String> ownParticipants;

    /** The participants that announced a change of their tools and have not listed them since. */
    private final Map<String, OutdatedTools> outdatedTools = new ConcurrentHashMap<>();

    private long announcementSequence;

    private final List<RefetchWaiter> refetchWaiters = new ArrayList<>();

    private final LastListedTools lastListedTools = new LastListedTools();

    private final Map<String, ParticipantCatalog> catalogs = new TreeMap<>();
    private volatile TopicCatalog catalog = TopicCatalog.EMPTY;

    /**
     * A list of tools that is not current.
     *
     * @param announcement the number of the announcement that made it outdated
     */
    private record OutdatedTools(long announcement, ToolListState state) {}

    private record RefetchWaiter(Set<String> participants, CompletableFuture<Void> done) {}

    private record UnresponsiveList(String participant, McpListType type) {}

    TopicCatalogTracker(TopicContext topicContext, Set<String> expected) {
        this.topicContext = topicContext;
        this.expectedParticipants = new HashSet<>(expected);
        this.ownParticipants = Set.copyOf(expected);
    }

    /** Returns what each participant offers. May be called from any thread. */
    TopicCatalog catalog() {
        return catalog;
    }

    /** Returns whether a participant's list of tools can be relied on. May be called from any thread. */
    ToolListState toolListState(String participant) {
        OutdatedTools outdated = outdatedTools.get(participant);
        return outdated == null ? ToolListState.CURRENT : outdated.state();
    }

    /** Returns the definitions that participants listed before they left. May be called from any thread. */
    LastListedTools lastListedTools() {
        return lastListedTools;
    }

    /**
     * Completes when none of these participants is being asked for its tools after a change. Asks those again that did
     * not answer in time, without waiting for them.
     */
    CompletableFuture<Void> awaitRefetch(Collection<String> participants) {
        for (String participant : participants) {
            ListFetchState listFetchState =
                    fetches.getOrDefault(participant, Map.of()).get(McpListType.TOOLS);
            if (outdatedTools.containsKey(participant) && listFetchState != null && !listFetchState.isOpen()) {
                restart(listFetchState);
            }
        }
        RefetchWaiter waiter = new RefetchWaiter(Set.copyOf(participants), new CompletableFuture<>());
        refetchWaiters.add(waiter);
        completeRefetchWaiters();
        return waiter.done();
    }

    private void completeRefetchWaiters() {
        List<RefetchWaiter> done = refetchWaiters.stream()
                .filter(waiter -> waiter.participants().stream()
                        .noneMatch(participant -> toolListState(participant) == ToolListState.REFETCHING))
                .toList();
        refetchWaiters.removeAll(done);
        done.forEach(waiter -> waiter.done().complete(null));
    }

    private void markToolsOutdated(String participant) {
        OutdatedTools outdated = new OutdatedTools(++announcementSequence, ToolListState.REFETCHING);
        if (outdatedTools.putIfAbsent(participant, outdated) == null) {
            topicContext.schedule(
                    () -> {
                        outdatedTools.replace(
                                participant,
                                outdated,
                                new OutdatedTools(outdated.announcement(), ToolListState.OVERDUE));
                        completeRefetchWaiters();
                    },
                    REFETCH_TIMEOUT_MILLIS);
        }
    }

    private void markToolsCurrent(String participant) {
        if (outdatedTools.remove(participant) != null) {
            completeRefetchWaiters();
        }
    }

    /**
     * Records a participant that looks like a server: it may send list responses and may not call tools itself. It is
     * queried when an MCP client first loads the catalog. Until then, the gateway sends requests only to participants
     * that have announced a change of their lists.
     */
    void onJoin(Member member) {
        if (isServer(member)) {
            if (fetchEnabled || ownParticipants.contains(member.id())) {
                fetchAll(member.id());
            } else {
                unfetchedParticipants.add(member.id());
            }
        }
        expectedParticipants.remove(member.id());
        completeWaiters();
    }

    void onLeave(Member member) {
        fetches.getOrDefault(member.id(), Map.of()).values().stream()
                .filter(ListFetchState::isAwaited)
                .forEach(each -> unresponsiveLists.add(new UnresponsiveList(member.id(), each.type())));
        remove(member.id());
    }

    /**
     * A member that may no longer respond offers nothing. A member that may respond now is handled as if it had just
     * joined.
     */
    void onMemberChanged(Member member) {
        if (!member.capabilitySet().admitsKind(LIST_RESPONSE)) {
            remove(member.id());
        } else if (!isServer(member)) {
            unfetchedParticipants.remove(member.id());
        } else if (!fetches.containsKey(member.id())) {
            onJoin(member);
        }
    }

    private static boolean isServer(Member member) {
        return member.capabilitySet().admitsKind(LIST_RESPONSE)
                && !member.capabilitySet().admitsKind(CALL);
    }

    private void remove(String participant) {
        unfetchedParticipants.remove(participant);
        markToolsCurrent(participant);
        fetches.remove(participant);
        fetchesByRequest
                .values()
                .removeIf(listFetchState -> listFetchState.participant().equals(participant));
        ParticipantCatalog removed = catalogs.remove(participant);
        if (removed != null) {
            publish();
            for (McpListType listType : McpListType.values()) {
                if (!removed.list(listType).isEmpty()) {
                    topicContext.onListChanged(listType);
                }
            }
        }
        completeWaiters();
    }

    private void fetchAll(String participant) {
        for (McpListType listType : McpListType.values()) {
            fetch(participant, listType);
        }
    }

    /** Fetches the lists that a participant has not been asked for, also not after an announcement. */
    private void fetchMissing(String participant) {
        for (McpListType listType : McpListType.values()) {
            if (!fetches.getOrDefault(participant, Map.of()).containsKey(listType)) {
                fetch(participant, listType);
            }
        }
    }

    void onEnvelope(String from, Envelope envelope) {
        String method = envelope.kind().method();
        if (method == null) {
            return;
        }
        switch (envelope.category()) {
            case REQUEST -> {
                for (McpListType listType : McpListType.byNotification(method)) {
                    if (listType == McpListType.TOOLS) {
                        markToolsOutdated(from);
                    }
                    fetch(from, listType);
                }
            }
            case RESPONSE -> {
                ListFetchState listFetchState =
                        fetchesByRequest.get(envelope.correlationIds().getFirst());
                if (listFetchState != null && listFetchState.participant().equals(from)) {
                    onResponse(listFetchState, PayloadJsonConverter.of(envelope).at("result"));
                }
            }
            default -> {}
        }
    }

    private void fetch(String participant, McpListType listType) {
        ListFetchState listFetchState = fetches.computeIfAbsent(participant, id -> new EnumMap<>(McpListType.class))
                .computeIfAbsent(
                        listType,
                        list -> new ListFetchState(
                                participant,
                                list,
                                !unresponsiveLists.contains(new UnresponsiveList(participant, list))));
        if (listFetchState.isOpen() && listFetchState.attempts() == 0) {
            listFetchState.markChanged();
        } else {
            restart(listFetchState);
        }
    }

    private void restart(ListFetchState listFetchState) {
        listFetchState.restart().forEach(fetchesByRequest::remove);
        fetch(listFetchState);
    }

    private void fetch(ListFetchState listFetchState) {
        String id =
                topicContext.requestPage(listFetchState.participant(), listFetchState.type(), listFetchState.cursor());
        listFetchState.addRequest(id);
        fetchesByRequest.put(id, listFetchState);
        topicContext.schedule(() -> onTimeout(id), RESPONSE_TIMEOUT_MILLIS[listFetchState.attempts()]);
    }

    /** Handles a response timeout. A late response is accepted while the page is requested again. */
    private void onTimeout(String requestId) {
        ListFetchState listFetchState = fetchesByRequest.get(requestId);
        if (listFetchState == null) {
            return;
        }
        unresponsiveLists.add(new UnresponsiveList(listFetchState.participant(), listFetchState.type()));
        listFetchState.onTimeout();
        if (listFetchState.isChanged()) {
            restart(listFetchState);
        } else if (listFetchState.attempts() < RESPONSE_TIMEOUT_MILLIS.length) {
            fetch(listFetchState);
        } else {
            listFetchState.restart().forEach(fetchesByRequest::remove);
        }
        completeWaiters();
    }

    private void onResponse(ListFetchState listFetchState, Json result) {
        listFetchState.clearRequests().forEach(fetchesByRequest::remove);
        boolean hasList = result.at(listFetchState.type().resultField()).type() == Json.Type.ARRAY;
        if (hasList && listFetchState.addPage(result)) {
            fetch(listFetchState);
            return;
        }
        unresponsiveLists.remove(new UnresponsiveList(listFetchState.participant(), listFetchState.type()));
        listFetchState.onComplete();
        if (listFetchState.shouldWarnTruncated()) {
            log.atWarn()
                    .addKeyValue("topic", topicContext.topic())
                    .addKeyValue("participant", listFetchState.participant())
                    .addKeyValue("list", listFetchState.type().method())
                    .log("A participant lists more entries than the gateway stores. The rest is ignored.");
        }
        ParticipantCatalog before = catalogs.getOrDefault(
                listFetchState.participant(), ParticipantCatalog.empty(listFetchState.participant()));
        // A participant that fails to list something has not stopped offering it.
        if (hasList) {
            ParticipantCatalog after = before.withList(listFetchState.type(), listFetchState.entries());
            boolean changed = !after.list(listFetchState.type()).equals(before.list(listFetchState.type()));
            if (changed || !before.isLoaded(listFetchState.type())) {
                catalogs.put(listFetchState.participant(), after);
                publish();
            }
            if (listFetchState.type() == McpListType.TOOLS) {
                lastListedTools.record(listFetchState.participant(), after.tools());
                if (!listFetchState.isChanged()) {
                    markToolsCurrent(listFetchState.participant());
                }
            }
            if (changed) {
                topicContext.onListChanged(listFetchState.type());
            }
        }
        listFetchState.clearEntries();
        if (listFetchState.isChanged()) {
            restart(listFetchState);
        }
        completeWaiters();
    }

    private void publish() {
        catalog = new TopicCatalog(catalogs.values());
    }

    /**
     * Queries the participants that were not queried yet. Completes when no awaited response is missing, or after the
     * given time.
     */
    CompletableFuture<Void> whenLoaded(long timeoutMillis) {
        fetchEnabled = true;
        List.copyOf(unfetchedParticipants).forEach(this::fetchMissing);
        unfetchedParticipants.clear();
        CompletableFuture<Void> done = new CompletableFuture<>();
        long waiterId = ++waiterSequence;
        loadWaiters.put(waiterId, done);
        completeWaiters();
        if (!done.isDone()) {
            topicContext.schedule(
                    () -> {
                        loadWaiters.remove(waiterId);
                        done.complete(null);
                    },
                    timeoutMillis);
        }
        return done;
    }

    /** Returns the number of callers that wait for the catalog. */
    int waiterCount() {
        return loadWaiters.size();
    }

    boolean isExpectingParticipants() {
        return !expectedParticipants.isEmpty();
    }

    /** Stops waiting for the participants that have not joined by now. */
    void stopExpecting() {
        expectedParticipants.clear();
        completeWaiters();
    }

    private void completeWaiters() {
        if (!loadWaiters.isEmpty()
                && expectedParticipants.isEmpty()
                && fetchesByRequest.values().stream().noneMatch(ListFetchState::isAwaited)) {
            List<CompletableFuture<Void>> done = List.copyOf(loadWaiters.values());
            loadWaiters.clear();
            done.forEach(each -> each.complete(null));
        }
    }
}
