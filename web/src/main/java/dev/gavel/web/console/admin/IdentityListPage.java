package dev.gavel.web.console.admin;

import dev.gavel.web.console.page.PageFrame;
import java.util.List;

/**
 * The page that lists and searches identities.
 *
 * @param query what they were searched by; empty for everybody
 * @param totalCount how many there are, whatever is shown
 * @param foundCount how many fit the search
 * @param rows the first of those
 */
public record IdentityListPage(PageFrame frame, String query, int totalCount, int foundCount, List<IdentityRow> rows) {
    public IdentityListPage {
        rows = List.copyOf(rows);
    }
}
