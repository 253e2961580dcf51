package dev.gavel.sep.board;

import dev.gavel.lifecycle.process.StateDefinition;
import dev.gavel.sep.chart.MarkupBuilder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes the index page of the static board: every SEP under its state. */
record BoardIndexPage(BoardInput input, List<BoardEntry> entries) {
    private static final String ROOT = "";

    String html() {
        Map<StateDefinition, List<BoardEntry>> byState = new LinkedHashMap<>();
        for (StateDefinition.Kind kind : StateDefinition.Kind.values()) {
            input.processDefinition().states().values().stream()
                    .filter(state -> state.kind() == kind)
                    .forEach(state -> byState.put(state, new ArrayList<>()));
        }
        for (BoardEntry entry : entries) {
            List<BoardEntry> stateEntries =
                    byState.get(input.processDefinition().state(entry.sep().state()));
            if (stateEntries != null) {
                stateEntries.add(entry);
            }
        }
        byState.values().removeIf(List::isEmpty);
        MarkupBuilder main = new MarkupBuilder();
        main.add("<h1>%s</h1>\n", input.title());
        main.add("<p class=\"lead\">%s</p>\n", summary());
        if (byState.isEmpty()) {
            main.add(
                    "<p class=\"empty\">There are no %s yet.</p>\n",
                    input.terms().plural());
        } else {
            main.add("<nav class=\"states\" aria-label=\"States\">\n<ul>\n");
            byState.forEach((state, stateEntries) -> main.add(
                    "<li><a class=\"kind-%s\" href=\"#state-%s\">%s <span class=\"count\">%s</span></a></li>\n",
                    kind(state), BoardPageFrameWriter.slug(state.name()), state.name(), stateEntries.size()));
            main.add("</ul>\n</nav>\n");
        }
        byState.forEach((state, stateEntries) -> section(main, state, stateEntries));
        return BoardPageFrameWriter.page(input, input.title(), BoardPageFrameWriter.Tab.BOARD, ROOT, main);
    }

    private String summary() {
        long open =
                entries.stream().filter(entry -> entry.heldSince().isPresent()).count();
        return input.terms().count(entries.size()) + ", " + open + " waiting for action. In each state, the "
                + input.terms().plural() + " that have waited longest come first.";
    }

    private void section(MarkupBuilder main, StateDefinition state, List<BoardEntry> stateEntries) {
        main.add(
                "<section class=\"state kind-%s\" aria-labelledby=\"state-%s\">\n<h2 id=\"state-%s\">%s",
                kind(state),
                BoardPageFrameWriter.slug(state.name()),
                BoardPageFrameWriter.slug(state.name()),
                state.name());
        main.add(" <span class=\"count\">%s</span></h2>\n<ul class=\"seps\">\n", stateEntries.size());
        stateEntries.stream()
                .sorted(Comparator.comparing((BoardEntry entry) ->
                                entry.heldSince().orElse(entry.guidance().since()))
                        .thenComparingInt(BoardEntry::number))
                .forEach(entry -> row(main, entry, input, ROOT, true));
        main.add("</ul>\n</section>\n");
    }

    /** Appends the list item of one SEP. */
    static void row(MarkupBuilder html, BoardEntry entry, BoardInput input, String root, boolean withWho) {
        html.add("<li><a href=\"%sseps/%s.html\">", root, entry.number());
        html.add("<span class=\"number\">%s</span> ", input.terms().numberLabel(entry.number()));
        html.add("<span class=\"title\" dir=\"auto\">%s</span></a>\n", entry.title());
        html.add("<span class=\"by\" dir=\"auto\">%s</span>\n", byline(entry, input));
        html.add("<span class=\"holder\">");
        if (entry.heldSince().isPresent()) {
            String age = BoardPageFrameWriter.age(entry.heldSince().get(), input.now());
            if (withWho) {
                html.add("<span class=\"age\">waiting for</span> <b dir=\"auto\">%s</b>", mustAct(entry, input));
                html.add("<span class=\"age\">, %s</span>", age);
            } else {
                html.add("%s <span class=\"age\">%s</span>", entry.sep().state(), age);
            }
        } else {
            html.add("<span class=\"age\">since ")
                    .raw(BoardPageFrameWriter.dayTag(entry.guidance().since()))
                    .add("</span>");
        }
        html.add("</span></li>\n");
    }

    private static String mustAct(BoardEntry entry, BoardInput input) {
        return String.join(", ", entry.mustAct(input));
    }

    private static String byline(BoardEntry entry, BoardInput input) {
        List<String> authors = entry.authors(input);
        String first = authors.size() > 3
                ? String.join(", ", authors.subList(0, 3)) + " and " + (authors.size() - 3) + " more"
                : String.join(", ", authors);
        String type = entry.type(input.processDefinition());
        return type.isBlank() ? first : first + " · " + type;
    }

    static String kind(StateDefinition state) {
        return BoardPageFrameWriter.slug(state.kind().name());
    }
}
