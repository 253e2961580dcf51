package dev.gavel.mcp.bridge;

import dev.gavel.mcp.client.McpClientSession;
import dev.gavel.mcp.rpc.ListChangedNotification;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.json.Json;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Fetches and caches a bridged server's lists of tools, prompts and resources, and refetches those that change.
 * Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a prefetched list is read by a later caller
final class McpListCache {
    private static final int MAX_PAGES = 1000;
    private static final int MAX_LENGTH = 32 * 1024 * 1024;

    /** A list that MCP defines. */
    enum ListType {
        TOOLS("tools/list", "tools", ListChangedNotification.TOOLS),
        PROMPTS("prompts/list", "prompts", ListChangedNotification.PROMPTS),
        RESOURCES("resources/list", "resources", ListChangedNotification.RESOURCES),
        TEMPLATES("resources/templates/list", "resourceTemplates", ListChangedNotification.RESOURCES);

        private final String method;
        private final String field;
        private final ListChangedNotification change;

        ListType(String method, String field, ListChangedNotification change) {
            this.method = method;
            this.field = field;
            this.change = change;
        }

        /** Returns the list that this method requests. */
        static Optional<ListType> byMethod(String method) {
            return Arrays.stream(values())
                    .filter(each -> each.method.equals(method))
                    .findFirst();
        }

        String capability() {
            return change.capability();
        }

        /** Returns the method of the notification that the list has changed. */
        String changedNotification() {
            return change.notificationMethod();
        }
    }

    private final McpClientSession session;
    private final Map<ListType, CompletableFuture<RpcMessage.Response>> lists = new LinkedHashMap<>();
    private final Map<ListType, ListFetchTask> activeFetches = new EnumMap<>(ListType.class);

    /** The fetch that follows the active one. However often a list changes, at most one fetch per list is queued. */
    private final Map<ListType, CompletableFuture<RpcMessage.Response>> queuedFetches = new EnumMap<>(ListType.class);

    private final Map<ListType, Integer> counts = new ConcurrentHashMap<>();

    /** When the last complete fetch of each list began, as {@link System#nanoTime}. */
    private final Map<ListType, Long> fetchTimes = new ConcurrentHashMap<>();

    /** Why the last fetch of each list failed. A list that was fetched since is absent. */
    private final Map<ListType, String> failures = new ConcurrentHashMap<>();

    McpListCache(McpClientSession session) {
        this.session = session;
    }

    /** Returns a list, and fetches it first if it is not cached. The id of the response is a placeholder. */
    CompletableFuture<RpcMessage.Response> get(ListType listType) {
        CompletableFuture<RpcMessage.Response> future = new CompletableFuture<>();
        boolean supported = session.hasCapability(listType.capability());
        ListFetchTask listFetchTask = new ListFetchTask(listType, future);
        synchronized (this) {
            CompletableFuture<RpcMessage.Response> existing = lists.get(listType);
            if (existing != null) {
                return existing;
            }
            lists.put(listType, future);
            if (supported && activeFetches.putIfAbsent(listType, listFetchTask) != null) {
                queuedFetches.put(listType, future);
                return future;
            }
        }
        if (supported) {
            listFetchTask.fetchPage(Optional.empty());
        } else {
            future.complete(empty(listType));
        }
        return future;
    }

    /** Completes a fetch and starts the queued one of the same list. */
    private void onFetched(ListFetchTask listFetchTask, RpcMessage.Response answer) {
        ListFetchTask nextTask = null;
        synchronized (this) {
            if (!activeFetches.remove(listFetchTask.listType, listFetchTask)) {
                return;
            }
            CompletableFuture<RpcMessage.Response> queuedFuture = queuedFetches.remove(listFetchTask.listType);
            if (queuedFuture != null) {
                nextTask = new ListFetchTask(listFetchTask.listType, queuedFuture);
                activeFetches.put(listFetchTask.listType, nextTask);
            }
        }
        if (answer instanceof RpcMessage.ResultResponse) {
            fetchTimes.put(listFetchTask.listType, listFetchTask.startTime);
            failures.remove(listFetchTask.listType);
        }
        listFetchTask.result.complete(answer);
        if (nextTask != null) {
            nextTask.fetchPage(Optional.empty());
        }
    }

    /** Fails the fetches that have waited this long for a page. */
    void expireFetches(Duration timeout) {
        List<ListFetchTask> all;
        synchronized (this) {
            all = List.copyOf(activeFetches.values());
        }
        all.forEach(listFetchTask -> listFetchTask.expireAfter(timeout));
    }

    /**
     * Fetches the lists again that a notification reports as changed. Callers of {@link #get} wait for the new list
     * meanwhile.
     */
    void onNotification(String notification) {
        for (ListType listType : ListType.values()) {
            if (listType.changedNotification().equals(notification)) {
                synchronized (this) {
                    if (queuedFetches.containsKey(listType)) {
                        continue;
                    }
                    lists.remove(listType);
                }
                get(listType);
            }
        }
    }

    /**
     * Returns a list that was fetched at most this long ago. While a fetch is active, callers share the one that follows
     * it.
     */
    CompletableFuture<RpcMessage.Response> getFetchedWithin(ListType listType, Duration age) {
        Long fetchedAt = fetchTimes.get(listType);
        if (fetchedAt == null || System.nanoTime() - fetchedAt >= age.toNanos()) {
            onNotification(listType.changedNotification());
        }
        return get(listType);
    }

    private synchronized void evict(ListType listType, CompletableFuture<RpcMessage.Response> failed) {
        lists.remove(listType, failed);
    }

    /** Returns the number of entries at the last complete fetch, or empty if there was none. */
    OptionalInt count(ListType listType) {
        Integer existing = counts.get(listType);
        return existing == null ? OptionalInt.empty() : OptionalInt.of(existing);
    }

    /** Returns why the last fetch of a list failed, or empty if it did not fail. */
    Optional<String> failure(ListType listType) {
        return Optional.ofNullable(failures.get(listType));
    }

    private static RpcMessage.Response empty(ListType listType) {
        return new RpcMessage.ResultResponse("null", "{\"" + listType.field + "\":[]}");
    }

    /** The fetch of one list, page by page. */
    private final class ListFetchTask {
        private final ListType listType;
        private final CompletableFuture<RpcMessage.Response> result;
        private final StringBuilder items = new StringBuilder();
        private int pages;
        private int count;
        private volatile String requestId = "";
        private volatile long startTime;
        private volatile long since = System.nanoTime();

        ListFetchTask(ListType listType, CompletableFuture<RpcMessage.Response> result) {
            this.listType = listType;
            this.result = result;
        }

        void fetchPage(Optional<String> cursor) {
            pages++;
            String id = session.nextId();
            since = System.nanoTime();
            if (pages == 1) {
                startTime = since;
            }
            requestId = id;
            session.sendRequest(
                    id, listType.method, cursor.map(raw -> "{\"cursor\":" + raw + "}"), answer -> onPage(answer));
        }

        private void onPage(RpcMessage.Response answer) {
            switch (ServerResponseAction.normalize(answer, session.isStateless())) {
                case RpcMessage.ErrorResponse errorResponse
                when errorResponse.code() == RpcErrorCode.METHOD_NOT_FOUND.code() -> onFetched(this, empty(listType));
                case RpcMessage.ErrorResponse errorResponse -> fail(errorResponse);
                case RpcMessage.ResultResponse response -> onPage(response);
            }
        }

        private void onPage(RpcMessage.ResultResponse response) {
            Optional<Json> page = Json.parse(response.result());
            Json list = page.map(each -> each.at(listType.field)).orElseGet(Json::object);
            if (page.isEmpty() || list.type() != Json.Type.ARRAY) {
                fail(RpcErrorCode.INTERNAL.toResponse(
                        "null",
                        "The server's answer to '" + listType.method + "' does not contain a list of " + listType.field
                                + "."));
                return;
            }
            Json next = page.get().at("nextCursor");
            boolean last = next.type() != Json.Type.TEXT;
            count += list.elements().size();
            if (last) {
                counts.put(listType, count);
            }
            if (last && pages == 1) {
                // The list has a single page: pass the response on unchanged.
                onFetched(this, response);
                return;
            }
            for (Json item : list.elements()) {
                items.append(items.isEmpty() ? "" : ",").append(item.raw());
            }
            if (last) {
                onFetched(this, new RpcMessage.ResultResponse("null", "{\"" + listType.field + "\":[" + items + "]}"));
            } else if (pages >= MAX_PAGES || items.length() > MAX_LENGTH) {
                fail(RpcErrorCode.UNSENDABLE.toResponse(
                        "null", "The server's list of " + listType.field + " is too long."));
            } else {
                fetchPage(Optional.of(next.raw()));
            }
        }

        private void fail(RpcMessage.ErrorResponse errorResponse) {
            // The next caller triggers another fetch.
            evict(listType, result);
            failures.put(listType, errorResponse.message());
            onFetched(this, errorResponse);
        }

        void expireAfter(Duration timeout) {
            if (!requestId.isEmpty() && System.nanoTime() - since >= timeout.toNanos()) {
                session.ignoreResponse(requestId);
                fail(RpcErrorCode.UNAVAILABLE.toResponse(
                        "null",
                        "The server did not answer '" + listType.method + "' within " + timeout.toSeconds() + " s."));
            }
        }
    }
}
