package dev.gavel.web.console.inbox;

import dev.gavel.mcpx.json.Json;
import java.util.List;

/**
 * The SEPs in the inbox whose next step is up to the reader, with their total count.
 *
 * @param rows those that wait longest first
 * @param count how many there are in all
 */
public record InboxSepList(List<InboxSepRow> rows, int count) {
    /** None. */
    public static final InboxSepList NONE = new InboxSepList(List.of(), 0);

    public InboxSepList {
        rows = List.copyOf(rows);
    }

    /** Those in the desk's answer. */
    public static InboxSepList of(Json inbox) {
        return new InboxSepList(
                InboxSepRow.parseAll(inbox), (int) inbox.at("count").asLong(0));
    }
}
