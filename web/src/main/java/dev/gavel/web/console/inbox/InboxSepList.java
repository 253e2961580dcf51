package dev.gavel.web.console.inbox;

import dev.gavel.mcpx.json.Json;
import java.util.List;

/**
 * The SEPs in the inbox whose next step is up to the reader, with their total count, and the outcomes of other SEPs of
 * the reader.
 *
 * @param rows longest waiting first
 * @param count the number of all such SEPs, shown or not
 * @param outcomes latest first
 */
public record InboxSepList(List<InboxSepRow> rows, int count, List<InboxOutcomeRow> outcomes) {
    public static final InboxSepList NONE = new InboxSepList(List.of(), 0, List.of());

    public InboxSepList {
        rows = List.copyOf(rows);
        outcomes = List.copyOf(outcomes);
    }

    /** Parses the SEP service's answer to the inbox query of a reader. */
    public static InboxSepList of(Json inbox, String reader) {
        return new InboxSepList(
                InboxSepRow.parseAll(inbox, reader),
                (int) inbox.at("count").asLong(0),
                InboxOutcomeRow.parseAll(inbox));
    }
}
