package dev.gavel.web.console.inbox;

import dev.gavel.lifecycle.process.ProposalTerms;
import dev.gavel.mcpx.json.Json;
import java.util.List;

/**
 * The SEPs in the inbox whose next step is up to the reader, with their total count, and the outcomes of other SEPs of
 * the reader.
 *
 * @param rows longest waiting first
 * @param count the number of all such SEPs, shown or not
 * @param outcomes latest first
 * @param terms how texts name the SEPs
 */
public record InboxSepList(List<InboxSepRow> rows, int count, List<InboxOutcomeRow> outcomes, ProposalTerms terms) {
    public InboxSepList {
        rows = List.copyOf(rows);
        outcomes = List.copyOf(outcomes);
    }

    /** Returns an empty list. */
    static InboxSepList none(ProposalTerms terms) {
        return new InboxSepList(List.of(), 0, List.of(), terms);
    }

    /** Parses the SEP service's answer to the inbox query of a reader. */
    public static InboxSepList of(Json inbox, String reader, ProposalTerms terms) {
        return new InboxSepList(
                InboxSepRow.parseAll(inbox, reader),
                (int) inbox.at("count").asLong(0),
                InboxOutcomeRow.parseAll(inbox),
                terms);
    }
}
