package dev.gavel.app.cli;

import dev.gavel.app.terminal.Columns;
import java.util.ArrayList;
import java.util.List;

/** Rows under headings, as wide as they need to be; one column gives way where a terminal is too narrow. */
final class Table {
    private static final String GAP = "  ";
    private static final int NARROWEST = 16;

    /** How wide the yielding column may get where nothing says how wide a line is. */
    private static final int WIDEST = 60;

    private record Row(Style style, List<String> cells) {}

    private final List<String> headings;
    private final int yielding;
    private final List<Row> rows = new ArrayList<>();

    /**
     * A table with these headings.
     *
     * @param yielding the column that is cut where there is no room
     */
    Table(List<String> headings, int yielding) {
        this.headings = headings;
        this.yielding = yielding;
    }

    /** Adds a row; its second cell, the state, is set off by a style. Cells are fit to be printed already. */
    void row(Style style, List<String> cells) {
        rows.add(new Row(style, cells));
    }

    void print(Screen screen) {
        int[] widths = widths(screen);
        screen.line(screen.paint(Style.BOLD, line(screen, Style.PLAIN, headings, widths)));
        rows.forEach(row -> screen.line(line(screen, row.style(), row.cells(), widths)));
    }

    private int[] widths(Screen screen) {
        int[] widths = new int[headings.size()];
        int others = 0;
        for (int column = 0; column < widths.length; column++) {
            widths[column] = Columns.of(headings.get(column));
            for (Row row : rows) {
                widths[column] = Math.max(widths[column], Columns.of(row.cells().get(column)));
            }
            others += column == yielding ? 0 : widths[column];
        }
        int room = screen.terminal() ? screen.width() - others - GAP.length() * (widths.length - 1) : WIDEST;
        widths[yielding] = Math.min(widths[yielding], Math.max(NARROWEST, room));
        return widths;
    }

    private static String line(Screen screen, Style style, List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            String cell = Columns.cut(cells.get(column), widths[column]);
            boolean last = column == widths.length - 1;
            String padding = last ? "" : " ".repeat(widths[column] - Columns.of(cell)) + GAP;
            line.append(column == 1 ? screen.paint(style, cell) : cell).append(padding);
        }
        return line.toString();
    }
}
