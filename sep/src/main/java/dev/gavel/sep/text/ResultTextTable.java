package dev.gavel.sep.text;

import dev.gavel.mcpx.text.DisplayWidth;
import java.util.ArrayList;
import java.util.List;

/** Formats results of the SEP service as a text table with headings and aligned columns. Not thread-safe. */
final class ResultTextTable {
    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();

    ResultTextTable(String... headings) {
        rows.add(List.of(headings));
    }

    /** Adds a row. The caller has made its cells safe to print. */
    void addRow(String... cells) {
        rows.add(List.of(cells));
    }

    List<String> lines() {
        int columns = rows.getFirst().size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int column = 0; column < columns; column++) {
                widths[column] = Math.max(widths[column], DisplayWidth.of(row.get(column)));
            }
        }
        return rows.stream().map(row -> line(row, widths)).toList();
    }

    private static String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            String cell = row.get(column);
            line.append(cell);
            if (column < widths.length - 1) {
                line.append(" ".repeat(widths[column] - DisplayWidth.of(cell))).append(GAP);
            }
        }
        return line.toString().stripTrailing();
    }
}
