package dev.gavel.web.console.page;

import dev.gavel.mcpx.text.SafeText.Run;
import gg.jte.Content;
import gg.jte.TemplateOutput;
import java.util.List;

/**
 * Writes sanitized text into a page and marks the escapes that stand for hidden characters, so that a reader can
 * distinguish them from the same characters in the text. Immutable.
 *
 * @param rows whether each line becomes an element, so that the style sheet can indent the rest of a wrapped line
 */
public record TextRunContent(List<Run> runs, boolean rows) implements Content {
    public TextRunContent {
        runs = List.copyOf(runs);
    }

    /** Returns the content of one text. */
    public static TextRunContent of(List<Run> runs) {
        return new TextRunContent(runs, false);
    }

    /** Returns the content of several lines, each in an element of its own. */
    public static TextRunContent ofRows(List<Run> runs) {
        return new TextRunContent(runs, true);
    }

    @Override
    public void writeTo(TemplateOutput output) {
        if (rows) {
            output.writeContent("<span class=\"row\">");
        }
        for (Run run : runs) {
            if (run.escaped()) {
                output.writeContent("<span class=\"escape\" title=\"Hidden character\">");
                output.writeUserContent(run.text());
                output.writeContent("</span>");
            } else if (rows) {
                writeRows(output, run.text());
            } else {
                output.writeUserContent(run.text());
            }
        }
        if (rows) {
            output.writeContent("</span>");
        }
    }

    private static void writeRows(TemplateOutput output, String text) {
        String[] lines = text.split("\n", -1);
        for (int line = 0; line < lines.length; line++) {
            output.writeContent(line == 0 ? "" : "\n</span><span class=\"row\">");
            output.writeUserContent(lines[line]);
        }
    }
}
