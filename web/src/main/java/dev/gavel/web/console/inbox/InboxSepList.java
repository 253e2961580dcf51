package dev.gavel.web.console.inbox;

import dev.gavel.mcpx.json.Json;
import java.util.List;

/**
 * The SEPs in the inbox whose next step is up to the reader, with their total count.
 *
 * @param rows longest waiting first
 * @param count the number of all such SEPs, shown or not
 */
public record InboxSepList(List<InboxSepRow> rows, int count) {
    public static final InboxSepList NONE = new InboxSepList(List.of(), 0);

    public InboxSepList {
        rows = List.copyOf(rows);
    }

    /** Parses the SEP service's answer to the inbox query of a reader. */
    public static InboxSepList of(Json inbox, String reader) {
        return new InboxSepList(
                InboxSepRow.parseAll(inbox, reader), (int) inbox.at("count").asLong(0));
    }
}
