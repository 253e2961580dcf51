package dev.gavel.web.console.sep;

import dev.gavel.web.console.page.PageFrame;
import java.util.List;

/**
 * The page that shows all SEPs in one column per state.
 *
 * @param open the states in which somebody must act, in the order of the process
 * @param settled the others
 * @param types what types there are
 */
public record SepBoardPage(
        PageFrame frame,
        SepFilter filter,
        List<SepBoardColumn> open,
        List<SepBoardColumn> settled,
        List<String> types) {
    public SepBoardPage {
        open = List.copyOf(open);
        settled = List.copyOf(settled);
        types = List.copyOf(types);
    }

    /** Those of the process's states, given in its order. */
    public static SepBoardPage of(
            PageFrame frame, SepFilter filter, List<SepBoardColumn> columns, SepPageContext sepPageContext) {
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

    /** The open states that have something to show. */
    public List<SepBoardColumn> visibleOpen() {
        return open.stream().filter(column -> !column.isEmpty()).toList();
    }

    /** The settled states that have something to show. */
    public List<SepBoardColumn> visibleSettled() {
        return settled.stream().filter(column -> !column.isEmpty()).toList();
    }

    /** Whether there is no SEP at all, or none that is looked for. */
    public boolean isEmpty() {
        return visibleOpen().isEmpty() && visibleSettled().isEmpty();
    }
}
