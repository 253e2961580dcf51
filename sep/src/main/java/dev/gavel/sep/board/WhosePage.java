package dev.gavel.sep.board;

import dev.gavel.lifecycle.answer.Guidance;
import dev.gavel.lifecycle.people.Group;
import dev.gavel.lifecycle.people.Party;
import dev.gavel.sep.chart.Markup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Who must act on what: everybody with what waits for them. */
record WhosePage(BoardInput input, List<Entry> entries) {
    private record Item(Entry entry, Instant since) {}

    String html() {
        Map<Party, List<Item>> byParty = new LinkedHashMap<>();
        for (Entry entry : entries) {
            for (Guidance.Holding holding : entry.guidance().mustAct()) {
                byParty.computeIfAbsent(holding.who(), _ -> new ArrayList<>()).add(new Item(entry, holding.since()));
            }
        }
        Markup main = new Markup();
        main.add("<h1>Whose move</h1>\n");
        main.add("<p class=\"lead\">Everybody who must act, with what waits for them, the longest first. Where a role"
                + " is named, any one of those who have it will do.</p>\n");
        if (byParty.isEmpty()) {
            main.add("<p class=\"empty\">Nobody must do anything.</p>\n");
        }
        byParty.entrySet().stream()
                .sorted(Comparator.comparing((Map.Entry<Party, List<Item>> each) -> !(each.getKey() instanceof Group))
                        .thenComparing(each -> first(each.getValue())))
                .forEach(each -> section(main, each.getKey(), each.getValue()));
        return Frame.page(input, "Whose move", Frame.Tab.WHOSE, "", main);
    }

    private static Instant first(List<Item> items) {
        return items.stream().map(Item::since).min(Comparator.naturalOrder()).orElse(Instant.MAX);
    }

    private void section(Markup main, Party who, List<Item> items) {
        main.add("<section class=\"state\">\n<h2><span dir=\"auto\">%s</span>", name(who));
        main.add(" <span class=\"count\">%s</span></h2>\n<ul class=\"seps\">\n", items.size());
        items.stream()
                .sorted(Comparator.comparing(Item::since)
                        .thenComparingInt(item -> item.entry().number()))
                .forEach(item -> IndexPage.row(main, item.entry(), input, "", false));
        main.add("</ul>\n</section>\n");
    }

    private String name(Party who) {
        return who instanceof Group group ? input.process().title(group.role()) : Entry.called(who);
    }
}
