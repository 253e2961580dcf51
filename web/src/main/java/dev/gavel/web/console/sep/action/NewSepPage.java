package dev.gavel.web.console.sep.action;

import dev.gavel.web.console.page.PageLayoutData;
import java.util.List;

/**
 * The page on which a user enters title and type of a new SEP. Immutable.
 *
 * @param types the allowed types; empty if the process defines none
 * @param type the default type
 */
public record NewSepPage(PageLayoutData frame, List<String> types, String type) {
    public NewSepPage {
        types = List.copyOf(types);
    }
}
