package dev.gavel.cli;

import dev.gavel.mcpx.text.DisplayWidth;
import java.util.ArrayList;
import java.util.List;

/** A text table with headings; one column is truncated if the terminal is too narrow. */
public final class TextTable {
    private static final String GAP = "  ";
    private static final int MIN_WIDTH = 16;

    /** Maximum width of the truncated column if the output is not a terminal. */
    private static final int MAX_WIDTH = 60;

    private record Row(TerminalStyle style, List<String> cells) {}

    private final List<String> headings;
    private final int truncatedColumn;
    private final List<Row> rows = new ArrayList<>();

    /**
     * Creates a table with these headings.
     *
     * @param truncatedColumn the index of the column that is truncated if the line is too narrow
     */
    public TextTable(List<String> headings, int truncatedColumn) {
        this.headings = headings;
        this.truncatedColumn = truncatedColumn;
    }

    /** Adds a row and prints its second cell, the state, in this style. The caller has sanitized the cells already. */
    public void addRow(TerminalStyle style, List<String> cells) {
        rows.add(new Row(style, cells));
    }

    /** Prints the table and returns whether a cell was truncated. */
    public boolean print(CommandOutput commandOutput) {
        int[] widths = widths(commandOutput);
        commandOutput.printLine(
                commandOutput.paint(TerminalStyle.BOLD, line(commandOutput, TerminalStyle.PLAIN, headings, widths)));
        rows.forEach(row -> commandOutput.printLine(line(commandOutput, row.style(), row.cells(), widths)));
        return rows.stream()
                .anyMatch(row -> DisplayWidth.of(row.cells().get(truncatedColumn)) > widths[truncatedColumn]);
    }

    private int[] widths(CommandOutput commandOutput) {
        int[] widths = new int[headings.size()];
        int others = 0;
        for (int column = 0; column < widths.length; column++) {
            widths[column] = DisplayWidth.of(headings.get(column));
            for (Row row : rows) {
                widths[column] =
                        Math.max(widths[column], DisplayWidth.of(row.cells().get(column)));
            }
            others += column == truncatedColumn ? 0 : widths[column];
        }
        int availableWidth = commandOutput.isTerminal()
                ? commandOutput.width() - others - GAP.length() * (widths.length - 1)
                : MAX_WIDTH;
        widths[truncatedColumn] = Math.min(widths[truncatedColumn], Math.max(MIN_WIDTH, availableWidth));
        return widths;
    }

    private static String line(CommandOutput commandOutput, TerminalStyle style, List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            String cell = DisplayWidth.truncate(cells.get(column), widths[column]);
            boolean last = column == widths.length - 1;
            String padding = last ? "" : " ".repeat(widths[column] - DisplayWidth.of(cell)) + GAP;
            line.append(column == 1 ? commandOutput.paint(style, cell) : cell).append(padding);
        }
        return line.toString();
    }
}
