package dev.gavel.mcp.catalog;

import dev.gavel.mcpx.json.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The paged fetch of one list from one participant, with its open requests, attempts and collected entries. Confined to
 * the topic's loop.
 */
final class ListFetch {
    private static final int MAX_PAGES = 50;
    private static final int MAX_ENTRIES = 5_000;

    /** Characters of all entries together. */
    private static final long MAX_CHARACTERS = 2L << 20;

    private final String participant;
    private final McpListType type;

    /** The questions for the present page: an answer to any of them will do. */
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
     * A list nobody has asked for yet.
     *
     * @param awaited whether somebody who wants to know what there is waits for it, this once
     */
    ListFetch(String participant, McpListType what, boolean awaited) {
        this.participant = participant;
        this.type = what;
        this.awaited = awaited;
    }

    String participant() {
        return participant;
    }

    McpListType type() {
        return type;
    }

    /** Whether an answer would be taken. */
    boolean isOpen() {
        return !requestIds.isEmpty();
    }

    /** Whether somebody waits for an answer that was never given before. */
    boolean isAwaited() {
        return awaited && isOpen();
    }

    /** The page to be asked for; none for the first. */
    @Nullable
    String cursor() {
        return cursor;
    }

    /** How often the present page was asked for in vain. */
    int attempts() {
        return attempts;
    }

    /** Begins anew, with the first page. Whoever was once awaited is awaited until it answers, or lets its time pass. */
    Set<String> restart() {
        Set<String> forgotten = clearRequests();
        entries = new ArrayList<>();
        characters = 0;
        pages = 0;
        truncated = false;
        changed = false;
        cursor = null;
        return forgotten;
    }

    void addRequest(String question) {
        requestIds.add(question);
    }

    /** It has changed while it is asked for: what is answered may be what was before. */
    void markChanged() {
        changed = true;
    }

    boolean isChanged() {
        return changed;
    }

    /** Nobody waits for it any more. */
    void onTimeout() {
        awaited = false;
        attempts++;
    }

    /** The present page needs no answer any more; gives the questions that asked for it. */
    Set<String> clearRequests() {
        Set<String> settled = Set.copyOf(requestIds);
        requestIds.clear();
        attempts = 0;
        return settled;
    }

    /** It was answered in full. */
    void onComplete() {
        awaited = false;
    }

    /** Takes a page, as far as there is room; says whether there is another to ask for. */
    boolean addPage(Json result) {
        pages++;
        for (Json entry : result.at(type.resultField()).elements()) {
            int length = entry.raw().length();
            if (entries.size() >= MAX_ENTRIES || characters + length > MAX_CHARACTERS) {
                truncated = true;
                return false;
            }
            characters += length;
            // It is kept for long, and the page it came with may hold much else.
            entries.add(entry.detached());
        }
        cursor = result.at("nextCursor").asText().orElse(null);
        if (cursor != null && pages >= MAX_PAGES) {
            truncated = true;
            return false;
        }
        return cursor != null;
    }

    /** What was listed so far. */
    List<Json> entries() {
        return entries;
    }

    /** Lets go of what was listed, once it is kept elsewhere. */
    void clearEntries() {
        entries = new ArrayList<>();
    }

    /** Whether it is to be said that there was more than is kept: once for as long as the participant is here. */
    boolean shouldWarnTruncated() {
        boolean first = truncated && !warned;
        warned |= truncated;
        return first;
    }
}
