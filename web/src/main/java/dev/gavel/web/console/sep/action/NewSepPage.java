package dev.gavel.web.console.sep.action;

import dev.gavel.web.console.page.PageFrame;
import java.util.List;

/**
 * The page where a new SEP begins. Immutable.
 *
 * @param types the types it may have; none where the process knows none
 * @param type the usual one
 */
public record NewSepPage(PageFrame frame, List<String> types, String type) {
    public NewSepPage {
        types = List.copyOf(types);
    }
}
