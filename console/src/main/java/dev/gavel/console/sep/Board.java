package dev.gavel.console.sep;

import dev.gavel.console.Frame;
import java.util.List;

/**
 * All SEPs, by how far they have come.
 *
 * @param open the states in which somebody must act, in the order of the process
 * @param settled the others
 * @param types what types there are
 */
public record Board(Frame frame, Filter filter, List<Column> open, List<Column> settled, List<String> types) {
    public Board {
        open = List.copyOf(open);
        settled = List.copyOf(settled);
        types = List.copyOf(types);
    }

    /** Those of the process's states, given in its order. */
    public static Board of(Frame frame, Filter filter, List<Column> columns, Viewer viewer) {
        List<String> types = viewer.process().attributes().containsKey("type")
                ? viewer.process().attributes().get("type").values()
                : List.of();
        return new Board(
                frame,
                filter,
                columns.stream().filter(column -> viewer.open(column.state())).toList(),
                columns.stream().filter(column -> !viewer.open(column.state())).toList(),
                types);
    }

    /** The open states that have something to show. */
    public List<Column> shown() {
        return open.stream().filter(column -> !column.empty()).toList();
    }

    /** The settled states that have something to show. */
    public List<Column> past() {
        return settled.stream().filter(column -> !column.empty()).toList();
    }

    /** Whether there is no SEP at all, or none that is looked for. */
    public boolean empty() {
        return shown().isEmpty() && past().isEmpty();
    }
}
