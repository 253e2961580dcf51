package dev.gavel.ledger;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of subject summaries that a query found, with the cursor of the next page. Immutable.
 *
 * @param next the cursor that leads on; null where these were the last
 */
public record SubjectPage(
        List<SubjectSummary> subjects, @Nullable String next) {
    public SubjectPage {
        subjects = List.copyOf(subjects);
    }
}
