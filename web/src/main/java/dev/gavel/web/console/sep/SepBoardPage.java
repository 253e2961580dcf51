package dev.gavel.web.console.sep;

import dev.gavel.web.console.page.PageLayoutData;
import java.util.List;

/**
 * The page that shows all SEPs in one column per state.
 *
 * @param open the columns of the states that require an action, in the order of the process
 * @param settled the columns of all other states
 * @param types the types that the process defines
 */
public record SepBoardPage(
        PageLayoutData frame,
        SepFilter filter,
        List<SepBoardColumn> open,
        List<SepBoardColumn> settled,
        List<String> types) {
    public SepBoardPage {
        open = List.copyOf(open);
        settled = List.copyOf(settled);
        types = List.copyOf(types);
    }

    /** Splits the columns, which are in the order of the process, into open and settled ones. */
    public static SepBoardPage of(
            PageLayoutData frame, SepFilter filter, List<SepBoardColumn> columns, SepPageContext sepPageContext) {
        List<String> types = sepPageContext.processDefinition().attributes().containsKey("type")
                ? sepPageContext.processDefinition().attributes().get("type").values()
                : List.of();
        return new SepBoardPage(
                frame,
                filter,
                columns.stream()
                        .filter(column -> sepPageContext.isOpen(column.state()))
                        .toList(),
                columns.stream()
                        .filter(column -> !sepPageContext.isOpen(column.state()))
                        .toList(),
                types);
    }

    /** The open columns that are not empty. */
    public List<SepBoardColumn> visibleOpen() {
        return open.stream().filter(column -> !column.isEmpty()).toList();
    }

    /** The settled columns that are not empty. */
    public List<SepBoardColumn> visibleSettled() {
        return settled.stream().filter(column -> !column.isEmpty()).toList();
    }

    /** Whether there is no SEP at all, or none that matches the filter. */
    public boolean isEmpty() {
        return visibleOpen().isEmpty() && visibleSettled().isEmpty();
    }
}
