package dev.gavel.console.admin;

import dev.gavel.console.Frame;
import java.util.List;

/**
 * The page of everybody.
 *
 * @param wanted what they were searched by; empty for everybody
 * @param all how many there are, whatever is shown
 * @param found how many fit the search
 * @param shown the first of those
 */
public record IdentitiesPage(Frame frame, String wanted, int all, int found, List<IdentityLine> shown) {
    public IdentitiesPage {
        shown = List.copyOf(shown);
    }
}
