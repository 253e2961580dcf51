package dev.gavel.web.console.admin;

import dev.gavel.web.console.page.PageLayoutData;
import java.util.List;

/**
 * The page that lists and searches identities.
 *
 * @param query the search text; empty for all identities
 * @param totalCount the number of all identities, found or not
 * @param foundCount the number of identities that match the search
 * @param rows the first of the matching identities
 */
public record IdentityListPage(
        PageLayoutData frame, String query, int totalCount, int foundCount, List<IdentityRow> rows) {
    public IdentityListPage {
        rows = List.copyOf(rows);
    }
}
