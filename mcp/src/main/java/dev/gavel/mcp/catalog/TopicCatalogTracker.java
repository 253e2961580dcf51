package dev.gavel.mcp.catalog;

import dev.gavel.gateway.member.Member;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.PayloadJsonConverter;
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

/**
 * Fetches the lists of a topic's participants, refetches those that change, and publishes the topic's catalog. Confined
 * to the topic's loop, but for {@link #catalog}.
 */
final class TopicCatalogTracker {
    private static final Logger log = LoggerFactory.getLogger(TopicCatalogTracker.class);

    private static final Kind LIST_RESPONSE = Kind.of("mcp.response.tools/list");
    private static final Kind CALL = Kind.of("mcp.request.tools/call");

    /** How long an answer is waited for before it is asked for again; after the last, it is asked for no more. */
    private static final long[] RESPONSE_TIMEOUT_MILLIS = {10_000, 30_000, 60_000, 60_000};

    /** The topic around it. */
    interface TopicContext {
        /** Its name. */
        String topic();

        /** Asks a participant for a page of a list, and gives the id of the question. */
        String requestPage(String participant, McpListType what, @Nullable String cursor);

        /** Says that something else is listed now. */
        void onListChanged(McpListType what);

        /** Does something on the topic's loop after a while. */
        void schedule(Runnable what, long millis);
    }

    private final TopicContext topicContext;
    private final Map<String, ListFetch> fetchesByRequest = new HashMap<>();
    private final Map<String, Map<McpListType, ListFetch>> fetches = new HashMap<>();

    /** Those who may serve something, and are to be asked once somebody wants to know. */
    private final Set<String> notYetFetched = new LinkedHashSet<>();

    /** Who let the time for a list pass, or left without an answer. They are asked, but nobody waits until they answer. */
    private final Set<UnresponsiveList> unresponsive = new HashSet<>();

    private boolean fetchEnabled;

    /** Those who wait for what is asked for, in the order they came. */
    private final Map<Long, CompletableFuture<Void>> loadWaiters = new LinkedHashMap<>();

    private long waiterSequence;

    /** Those who are still to be seen here: bridges that are being started. */
    private final Set<String> expected;

    private final Map<String, ParticipantCatalog> catalogs = new TreeMap<>();
    private volatile TopicCatalog catalog = TopicCatalog.EMPTY;

    private record UnresponsiveList(String participant, McpListType type) {}

    TopicCatalogTracker(TopicContext place, Set<String> expected) {
        this.topicContext = place;
        this.expected = new HashSet<>(expected);
    }

    /** What each offers. From any thread. */
    TopicCatalog catalog() {
        return catalog;
    }

    /**
     * Takes note of whoever looks like somebody that serves: they may answer, and may not call themselves. They are asked as
     * soon as an MCP client wants to know; until then nobody hears anything of us who did not say that their lists changed.
     */
    void onJoin(Member member) {
        if (isServer(member)) {
            if (fetchEnabled) {
                fetchAll(member.id());
            } else {
                notYetFetched.add(member.id());
            }
        }
        expected.remove(member.id());
        completeWaiters();
    }

    void onLeave(Member member) {
        fetches.getOrDefault(member.id(), Map.of()).values().stream()
                .filter(ListFetch::isAwaited)
                .forEach(each -> unresponsive.add(new UnresponsiveList(member.id(), each.type())));
        remove(member.id());
    }

    /** Whoever may answer no more has nothing to offer; whoever may now is as good as new. */
    void onMemberChanged(Member member) {
        if (!member.capabilitySet().admitsKind(LIST_RESPONSE)) {
            remove(member.id());
        } else if (!isServer(member)) {
            notYetFetched.remove(member.id());
        } else if (!fetches.containsKey(member.id())) {
            onJoin(member);
        }
    }

    private static boolean isServer(Member member) {
        return member.capabilitySet().admitsKind(LIST_RESPONSE)
                && !member.capabilitySet().admitsKind(CALL);
    }

    private void remove(String participant) {
        notYetFetched.remove(participant);
        fetches.remove(participant);
        fetchesByRequest.values().removeIf(listFetch -> listFetch.participant().equals(participant));
        ParticipantCatalog gone = catalogs.remove(participant);
        if (gone != null) {
            publish();
            for (McpListType what : McpListType.values()) {
                topicContext.onListChanged(what);
            }
        }
        completeWaiters();
    }

    private void fetchAll(String participant) {
        for (McpListType what : McpListType.values()) {
            fetch(participant, what);
        }
    }

    void onEnvelope(String from, Envelope envelope) {
        String method = envelope.kind().method();
        if (method == null) {
            return;
        }
        switch (envelope.category()) {
            case REQUEST -> {
                for (McpListType what : McpListType.byNotification(method)) {
                    fetch(from, what);
                }
            }
            case RESPONSE -> {
                ListFetch listFetch =
                        fetchesByRequest.get(envelope.correlationIds().getFirst());
                if (listFetch != null && listFetch.participant().equals(from)) {
                    onResponse(listFetch, PayloadJsonConverter.of(envelope).at("result"));
                }
            }
            default -> {}
        }
    }

    private void fetch(String participant, McpListType what) {
        ListFetch listFetch = fetches.computeIfAbsent(participant, id -> new EnumMap<>(McpListType.class))
                .computeIfAbsent(
                        what,
                        list -> new ListFetch(
                                participant, list, !unresponsive.contains(new UnresponsiveList(participant, list))));
        if (listFetch.isOpen() && listFetch.attempts() == 0) {
            listFetch.markChanged();
        } else {
            restart(listFetch);
        }
    }

    private void restart(ListFetch listFetch) {
        listFetch.restart().forEach(fetchesByRequest::remove);
        fetch(listFetch);
    }

    private void fetch(ListFetch listFetch) {
        String id = topicContext.requestPage(listFetch.participant(), listFetch.type(), listFetch.cursor());
        listFetch.addRequest(id);
        fetchesByRequest.put(id, listFetch);
        topicContext.schedule(() -> onTimeout(id), RESPONSE_TIMEOUT_MILLIS[listFetch.attempts()]);
    }

    /** An answer did not come in time. It is taken if it still comes while it is asked for again. */
    private void onTimeout(String question) {
        ListFetch listFetch = fetchesByRequest.get(question);
        if (listFetch == null) {
            return;
        }
        unresponsive.add(new UnresponsiveList(listFetch.participant(), listFetch.type()));
        listFetch.onTimeout();
        if (listFetch.isChanged()) {
            restart(listFetch);
        } else if (listFetch.attempts() < RESPONSE_TIMEOUT_MILLIS.length) {
            fetch(listFetch);
        } else {
            listFetch.restart().forEach(fetchesByRequest::remove);
        }
        completeWaiters();
    }

    private void onResponse(ListFetch listFetch, Json result) {
        listFetch.clearRequests().forEach(fetchesByRequest::remove);
        boolean listed = result.at(listFetch.type().resultField()).type() == Json.Type.ARRAY;
        if (listed && listFetch.addPage(result)) {
            fetch(listFetch);
            return;
        }
        unresponsive.remove(new UnresponsiveList(listFetch.participant(), listFetch.type()));
        listFetch.onComplete();
        if (listFetch.shouldWarnTruncated()) {
            log.atWarn()
                    .addKeyValue("topic", topicContext.topic())
                    .addKeyValue("participant", listFetch.participant())
                    .addKeyValue("list", listFetch.type().method())
                    .log("a participant lists more than is kept; the rest is left out");
        }
        ParticipantCatalog before =
                catalogs.getOrDefault(listFetch.participant(), ParticipantCatalog.empty(listFetch.participant()));
        // Whoever cannot list something now has not stopped offering it.
        if (listed || before.list(listFetch.type()).isEmpty()) {
            ParticipantCatalog after = before.withList(listFetch.type(), listFetch.entries());
            if (!after.list(listFetch.type()).equals(before.list(listFetch.type()))) {
                catalogs.put(listFetch.participant(), after);
                publish();
                topicContext.onListChanged(listFetch.type());
            }
        }
        listFetch.clearEntries();
        if (listFetch.isChanged()) {
            restart(listFetch);
        }
        completeWaiters();
    }

    private void publish() {
        catalog = new TopicCatalog(catalogs.values());
    }

    /** Asks whoever was not asked yet; done when nobody is awaited any more, or a while has passed. */
    CompletableFuture<Void> whenLoaded(long patienceMillis) {
        fetchEnabled = true;
        List.copyOf(notYetFetched).forEach(this::fetchAll);
        notYetFetched.clear();
        CompletableFuture<Void> done = new CompletableFuture<>();
        long number = ++waiterSequence;
        loadWaiters.put(number, done);
        completeWaiters();
        if (!done.isDone()) {
            topicContext.schedule(
                    () -> {
                        loadWaiters.remove(number);
                        done.complete(null);
                    },
                    patienceMillis);
        }
        return done;
    }

    /** How many wait for what is still asked for. */
    int waiterCount() {
        return loadWaiters.size();
    }

    boolean isExpectingParticipants() {
        return !expected.isEmpty();
    }

    /** Whoever has not come by now is not waited for any more. */
    void stopExpecting() {
        expected.clear();
        completeWaiters();
    }

    private void completeWaiters() {
        if (!loadWaiters.isEmpty()
                && expected.isEmpty()
                && fetchesByRequest.values().stream().noneMatch(ListFetch::isAwaited)) {
            List<CompletableFuture<Void>> done = List.copyOf(loadWaiters.values());
            loadWaiters.clear();
            done.forEach(each -> each.complete(null));
        }
    }
}
