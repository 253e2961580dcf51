package dev.gavel.mcp.catalog;

import dev.gavel.mcpx.json.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The progress of fetching one MCP list from a participant: open requests, attempts and the entries collected so far.
 * Confined to the topic's loop.
 */
final class ListFetchState {
    private static final int MAX_PAGES = 50;
    private static final int MAX_ENTRIES = 5_000;

    /** Limit on the characters of all entries together. */
    private static final long MAX_CHARACTERS = 16L << 20;

    private final String participant;
    private final McpListType type;

    /** The open requests for the current page. A response to any of them is accepted. */
    private final Set<String> requestIds = new HashSet<>();

    private List<Json> entries = new ArrayList<>();
    private long characters;
    private int pages;
    private int attempts;
    private boolean truncated;
    private boolean warned;
    private boolean changed;
    private boolean awaited;
    private @Nullable String cursor;

    /**
     * Creates a fetch that has not sent a request yet.
     *
     * @param awaited whether callers that load the catalog wait for this list the first time
     */
    ListFetchState(String participant, McpListType type, boolean awaited) {
        this.participant = participant;
        this.type = type;
        this.awaited = awaited;
    }

    String participant() {
        return participant;
    }

    McpListType type() {
        return type;
    }

    /** Whether a response would be accepted. */
    boolean isOpen() {
        return !requestIds.isEmpty();
    }

    /** Whether callers wait for the first complete response. */
    boolean isAwaited() {
        return awaited && isOpen();
    }

    /** Returns the cursor of the page to request, or null for the first page. */
    @Nullable
    String cursor() {
        return cursor;
    }

    /** Returns how often a request for the current page has timed out. */
    int attempts() {
        return attempts;
    }

    /**
     * Starts over with the first page and returns the ids of the abandoned requests. A list that is awaited stays
     * awaited until it is complete or times out.
     */
    Set<String> restart() {
        Set<String> abandonedIds = clearRequests();
        entries = new ArrayList<>();
        characters = 0;
        pages = 0;
        truncated = false;
        changed = false;
        cursor = null;
        return abandonedIds;
    }

    void addRequest(String requestId) {
        requestIds.add(requestId);
    }

    /** Records that the list has changed while it is being fetched: the responses may be outdated. */
    void markChanged() {
        changed = true;
    }

    boolean isChanged() {
        return changed;
    }

    /** Records a timeout. Callers do not wait for this list any more. */
    void onTimeout() {
        awaited = false;
        attempts++;
    }

    /** Closes the open requests of the current page and returns their ids. */
    Set<String> clearRequests() {
        Set<String> closedIds = Set.copyOf(requestIds);
        requestIds.clear();
        attempts = 0;
        return closedIds;
    }

    /** Records that the list was received completely. */
    void onComplete() {
        awaited = false;
    }

    /** Adds a page, up to the limits. Returns whether there is another page to request. */
    boolean addPage(Json result) {
        pages++;
        for (Json entry : result.at(type.resultField()).elements()) {
            int length = entry.raw().length();
            if (entries.size() >= MAX_ENTRIES || characters + length > MAX_CHARACTERS) {
                truncated = true;
                return false;
            }
            characters += length;
            // The entry is stored for long, and the page that it is part of may hold much else.
            entries.add(entry.detached());
        }
        cursor = result.at("nextCursor").asText().orElse(null);
        if (cursor != null && pages >= MAX_PAGES) {
            truncated = true;
            return false;
        }
        return cursor != null;
    }

    /** Returns the entries received so far. */
    List<Json> entries() {
        return entries;
    }

    /** Releases the entries after they were stored in the catalog. */
    void clearEntries() {
        entries = new ArrayList<>();
    }

    /** Whether to log that the list was truncated: once for as long as the participant is connected. */
    boolean shouldWarnTruncated() {
        boolean first = truncated && !warned;
        warned |= truncated;
        return first;
    }
}
