package dev.gavel.mcp.directory;

import dev.gavel.mcpx.json.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One list of one participant, and how the asking for it stands. Confined to the topic's loop. */
final class Inquiry {
    private static final int MOST_PAGES = 50;
    private static final int MOST_ENTRIES = 5_000;

    /** Characters of all entries together. */
    private static final long MOST_CHARACTERS = 2L << 20;

    private final String participant;
    private final Listed what;

    /** The questions for the present page: an answer to any of them will do. */
    private final Set<String> questions = new HashSet<>();

    private List<Json> entries = new ArrayList<>();
    private long characters;
    private int pages;
    private int tries;
    private boolean dropped;
    private boolean complained;
    private boolean again;
    private boolean awaited;
    private @Nullable String cursor;

    /**
     * A list nobody has asked for yet.
     *
     * @param awaited whether somebody who wants to know what there is waits for it, this once
     */
    Inquiry(String participant, Listed what, boolean awaited) {
        this.participant = participant;
        this.what = what;
        this.awaited = awaited;
    }

    String participant() {
        return participant;
    }

    Listed what() {
        return what;
    }

    /** Whether an answer would be taken. */
    boolean open() {
        return !questions.isEmpty();
    }

    /** Whether somebody waits for an answer that was never given before. */
    boolean awaited() {
        return awaited && open();
    }

    /** The page to be asked for; none for the first. */
    @Nullable
    String cursor() {
        return cursor;
    }

    /** How often the present page was asked for in vain. */
    int tries() {
        return tries;
    }

    /** Begins anew, with the first page. Whoever was once awaited is awaited until it answers, or lets its time pass. */
    Set<String> restart() {
        Set<String> forgotten = settle();
        entries = new ArrayList<>();
        characters = 0;
        pages = 0;
        dropped = false;
        again = false;
        cursor = null;
        return forgotten;
    }

    void asked(String question) {
        questions.add(question);
    }

    /** It has changed while it is asked for: what is answered may be what was before. */
    void changedMeanwhile() {
        again = true;
    }

    boolean again() {
        return again;
    }

    /** Nobody waits for it any more. */
    void letPass() {
        awaited = false;
        tries++;
    }

    /** The present page needs no answer any more; gives the questions that asked for it. */
    Set<String> settle() {
        Set<String> settled = Set.copyOf(questions);
        questions.clear();
        tries = 0;
        return settled;
    }

    /** It was answered in full. */
    void answered() {
        awaited = false;
    }

    /** Takes a page, as far as there is room; says whether there is another to ask for. */
    boolean take(Json result) {
        pages++;
        for (Json entry : result.at(what.field()).elements()) {
            int length = entry.raw().length();
            if (entries.size() >= MOST_ENTRIES || characters + length > MOST_CHARACTERS) {
                dropped = true;
                return false;
            }
            characters += length;
            // It is kept for long, and the page it came with may hold much else.
            entries.add(entry.detached());
        }
        cursor = result.at("nextCursor").ifText().orElse(null);
        if (cursor != null && pages >= MOST_PAGES) {
            dropped = true;
            return false;
        }
        return cursor != null;
    }

    /** What was listed so far. */
    List<Json> entries() {
        return entries;
    }

    /** Lets go of what was listed, once it is kept elsewhere. */
    void forgetEntries() {
        entries = new ArrayList<>();
    }

    /** Whether it is to be said that there was more than is kept: once for as long as the participant is here. */
    boolean toComplain() {
        boolean first = dropped && !complained;
        complained |= dropped;
        return first;
    }
}
