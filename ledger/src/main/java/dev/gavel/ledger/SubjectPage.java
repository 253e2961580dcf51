package dev.gavel.ledger;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of query results, each the summary of a subject such as a proposal or SEP, with the cursor of the next page.
 * Immutable.
 *
 * @param nextCursor the cursor of the next page; null if this is the last page
 */
public record SubjectPage(
        List<SubjectSummary> subjects, @Nullable String nextCursor) {
    public SubjectPage {
        subjects = List.copyOf(subjects);
    }
}
