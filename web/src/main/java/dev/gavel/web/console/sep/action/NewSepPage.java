package dev.gavel.web.console.sep.action;

import dev.gavel.web.console.page.PageFrame;
import java.util.List;

/**
 * The page on which a user enters title and type of a new SEP. Immutable.
 *
 * @param types the types it may have; none where the process knows none
 * @param type the usual one
 */
public record NewSepPage(PageFrame frame, List<String> types, String type) {
    public NewSepPage {
        types = List.copyOf(types);
    }
}
