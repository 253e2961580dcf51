package dev.gavel.sep.board;

import dev.gavel.lifecycle.process.State;
import dev.gavel.sep.chart.Markup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The board: every proposal under the state it is in. */
record IndexPage(BoardInput input, List<Entry> entries) {
    private static final String ROOT = "";

    String html() {
        Map<State, List<Entry>> byState = new LinkedHashMap<>();
        for (State.Kind kind : State.Kind.values()) {
            input.process().states().values().stream()
                    .filter(state -> state.kind() == kind)
                    .forEach(state -> byState.put(state, new ArrayList<>()));
        }
        for (Entry entry : entries) {
            List<Entry> there = byState.get(input.process().state(entry.sep().state()));
            if (there != null) {
                there.add(entry);
            }
        }
        byState.values().removeIf(List::isEmpty);
        Markup main = new Markup();
        main.add("<h1>%s</h1>\n", input.title());
        main.add("<p class=\"lead\">%s</p>\n", summary());
        if (byState.isEmpty()) {
            main.add("<p class=\"empty\">There are no proposals yet.</p>\n");
        } else {
            main.add("<nav class=\"states\" aria-label=\"States\">\n<ul>\n");
            byState.forEach((state, there) -> main.add(
                    "<li><a class=\"kind-%s\" href=\"#state-%s\">%s <span class=\"count\">%s</span></a></li>\n",
                    kind(state), Frame.slug(state.name()), state.name(), there.size()));
            main.add("</ul>\n</nav>\n");
        }
        byState.forEach((state, there) -> section(main, state, there));
        return Frame.page(input, input.title(), Frame.Tab.BOARD, ROOT, main);
    }

    private String summary() {
        long open =
                entries.stream().filter(entry -> entry.heldSince().isPresent()).count();
        return (entries.size() == 1 ? "1 proposal, " : entries.size() + " proposals, ")
                + (open == 1 ? "1 of which waits for somebody." : open + " of which wait for somebody.")
                + " In each state the one held longest comes first.";
    }

    private void section(Markup main, State state, List<Entry> there) {
        main.add(
                "<section class=\"state kind-%s\" aria-labelledby=\"state-%s\">\n<h2 id=\"state-%s\">%s",
                kind(state), Frame.slug(state.name()), Frame.slug(state.name()), state.name());
        main.add(" <span class=\"count\">%s</span></h2>\n<ul class=\"seps\">\n", there.size());
        there.stream()
                .sorted(Comparator.comparing((Entry entry) ->
                                entry.heldSince().orElse(entry.guidance().since()))
                        .thenComparingInt(Entry::number))
                .forEach(entry -> row(main, entry, input, ROOT, true));
        main.add("</ul>\n</section>\n");
    }

    /** A proposal in a line. */
    static void row(Markup html, Entry entry, BoardInput input, String root, boolean withWho) {
        html.add("<li><a href=\"%sseps/%s.html\">", root, entry.number());
        html.add("<span class=\"number\">SEP-%s</span> ", entry.number());
        html.add("<span class=\"title\" dir=\"auto\">%s</span></a>\n", entry.title());
        html.add("<span class=\"by\" dir=\"auto\">%s</span>\n", by(entry, input));
        html.add("<span class=\"holder\">");
        if (entry.heldSince().isPresent()) {
            String age = Frame.age(entry.heldSince().get(), input.now());
            if (withWho) {
                html.add("<b dir=\"auto\">%s</b> ", String.join(", ", entry.mustAct(input.process())));
                html.add("<span class=\"age\">must act, %s</span>", age);
            } else {
                html.add("%s <span class=\"age\">%s</span>", entry.sep().state(), age);
            }
        } else {
            html.add("<span class=\"age\">since ")
                    .raw(Frame.time(entry.guidance().since()))
                    .add("</span>");
        }
        html.add("</span></li>\n");
    }

    private static String by(Entry entry, BoardInput input) {
        List<String> authors = entry.authors();
        String first = authors.size() > 3
                ? String.join(", ", authors.subList(0, 3)) + " and " + (authors.size() - 3) + " more"
                : String.join(", ", authors);
        String type = entry.type(input.process());
        return type.isBlank() ? first : first + " · " + type;
    }

    static String kind(State state) {
        return Frame.slug(state.kind().name());
    }
}
