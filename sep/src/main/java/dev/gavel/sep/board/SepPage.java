package dev.gavel.sep.board;

import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.people.Person;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.lifecycle.process.State;
import dev.gavel.sep.chart.Markup;
import dev.gavel.sep.document.Links;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The page of one proposal: where it stands, its document, and what happened to it. */
record SepPage(BoardInput input, Entry entry, Kin kin) {
    private static final String ROOT = "../";

    /** A stay in a state; the last has no end. */
    private record Stay(String state, Instant since, Optional<Instant> until) {}

    String html() {
        Markup main = new Markup();
        main.add("<article class=\"sep\">\n<header class=\"head\">\n");
        main.add("<p class=\"number\">SEP-%s</p>\n<h1 dir=\"auto\">%s</h1>\n", entry.number(), entry.title());
        facts(main);
        main.add("</header>\n");
        rail(main);
        new GuidanceCard(input, entry).write(main);
        main.add("<div class=\"text\">\n");
        String text = input.text().apply(entry.sep());
        if (text.isBlank()) {
            main.add("<p class=\"empty\">Its document is not here.</p>\n");
        } else {
            main.raw(Heading.below(input.render().apply(text)));
        }
        main.add("\n</div>\n<div class=\"more\">\n");
        related(main);
        history(main);
        main.add("</div>\n</article>\n");
        return Frame.page(input, "SEP-" + entry.number() + ": " + entry.title(), Frame.Tab.OTHER, ROOT, main);
    }

    private void facts(Markup main) {
        main.add("<dl class=\"facts\">\n");
        String type = entry.type(input.process());
        if (!type.isBlank()) {
            fact(main, "Type", Markup.escaped(type));
        }
        for (Role role : input.process().roles().values()) {
            if (role instanceof Role.Held held) {
                List<Person> people = entry.sep().standing().holders().people(held.name());
                if (!people.isEmpty() || !held.proposer()) {
                    fact(main, named(held.name()), people.isEmpty() ? "nobody" : names(people));
                }
            }
        }
        fact(main, "Submitted", Frame.time(entry.sep().standing().submitted()));
        entry.sep().outline().discussion().flatMap(Frame::address).ifPresent(link -> link(main, "Discussion", link));
        entry.sep().outline().pr().flatMap(Frame::address).ifPresent(link -> link(main, "Pull request", link));
        main.add("</dl>\n");
    }

    private static String names(List<Person> people) {
        return new Markup()
                .add(
                        "<span dir=\"auto\">%s</span>",
                        String.join(", ", people.stream().map(Person::login).toList()))
                .toString();
    }

    private static void link(Markup main, String name, String address) {
        String shown = address.replaceFirst("(?i)^https?://(?:www\\.)?", "").replaceFirst("/$", "");
        fact(
                main,
                name,
                new Markup()
                        .add("<a href=\"%s\" rel=\"nofollow noopener\">%s</a>", address, shown)
                        .toString());
    }

    private static void fact(Markup main, String name, String safe) {
        main.add("<div><dt>%s</dt><dd>", name).raw(safe).add("</dd></div>\n");
    }

    /** A role's word as a label. */
    private static String named(String role) {
        String words = role.replace('-', ' ');
        return Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }

    private void rail(Markup main) {
        main.add("<ol class=\"rail\" aria-label=\"The states it has been in\">\n");
        for (Stay stay : stays()) {
            boolean here = stay.until().isEmpty();
            main.add(here ? "<li class=\"here\" aria-current=\"step\">" : "<li>");
            main.add("<b>%s</b> ", stay.state()).raw(Frame.time(stay.since()));
            main.add(
                    " <span class=\"age\">%s</span></li>\n",
                    Frame.age(stay.since(), stay.until().orElse(input.now())));
        }
        entry.guidance().toAdvance().stream()
                .filter(next -> leadsOn(next.to()))
                .findFirst()
                .ifPresent(next -> main.add("<li class=\"ahead\"><b>%s</b> could come next</li>\n", next.to()));
        main.add("</ol>\n");
    }

    private boolean leadsOn(String state) {
        State found = input.process().states().get(state);
        return found != null
                && !found.end()
                && input.process().state(entry.sep().state()).open();
    }

    private List<Stay> stays() {
        List<Stay> stays = new ArrayList<>();
        for (Event event : entry.sep().history().events()) {
            switch (event) {
                case Event.Submitted begun -> stays.add(new Stay(begun.state(), begun.at(), Optional.empty()));
                case Event.Moved moved -> {
                    Stay last = stays.removeLast();
                    stays.add(new Stay(last.state(), last.since(), Optional.of(moved.at())));
                    stays.add(new Stay(moved.to(), moved.at(), Optional.empty()));
                }
                default -> {}
            }
        }
        return stays;
    }

    private void related(Markup main) {
        Links links = entry.sep().outline().links();
        Markup rows = new Markup();
        related(rows, "Supersedes", links.supersedes());
        related(rows, "Replaces", links.replaces());
        related(rows, "Requires", links.requires());
        related(rows, "Superseded by", links.supersededBy());
        related(
                rows,
                "About the same",
                kin.of(entry).stream().map(Entry::number).toList());
        if (!rows.toString().isEmpty()) {
            main.add(
                            "<section class=\"card\" aria-labelledby=\"related\">\n<h2 id=\"related\">Other proposals</h2>\n<dl>\n")
                    .raw(rows.toString())
                    .add("</dl>\n</section>\n");
        }
    }

    private void related(Markup rows, String how, List<Integer> numbers) {
        if (numbers.isEmpty()) {
            return;
        }
        rows.add("<dt>%s</dt>\n", how);
        for (int number : numbers) {
            rows.add("<dd>");
            kin.find(number)
                    .ifPresentOrElse(
                            other -> rows.add("<a href=\"%s.html\">SEP-%s</a> ", number, number)
                                    .add("<span dir=\"auto\">%s</span>", other.title())
                                    .add(
                                            " <span class=\"muted\">%s</span>",
                                            other.sep().state()),
                            () -> rows.add("SEP-%s <span class=\"muted\">not on this board</span>", number));
            rows.add("</dd>\n");
        }
    }

    private void history(Markup main) {
        EventWords words = new EventWords(input.process());
        main.add("<section class=\"card\" aria-labelledby=\"history\">\n<h2 id=\"history\">History</h2>\n");
        main.add("<ol class=\"history\">\n");
        for (Event event : entry.sep().history().events().reversed()) {
            EventWords.Told told = words.tell(event);
            main.add("<li>").raw(Frame.time(event.at()));
            main.add(" <span dir=\"auto\">%s</span>", told.says());
            for (String quote : told.quotes()) {
                int colon = quote.indexOf(": ");
                String value = colon < 0 ? quote : quote.substring(colon + 2);
                String before = Frame.address(value).isPresent() && colon > 0 ? quote.substring(0, colon + 2) : "";
                main.add("<blockquote dir=\"auto\">%s", before)
                        .raw(Frame.linked(before.isEmpty() ? quote : value))
                        .add("</blockquote>");
            }
            main.add("</li>\n");
        }
        main.add("</ol>\n</section>\n");
    }
}
