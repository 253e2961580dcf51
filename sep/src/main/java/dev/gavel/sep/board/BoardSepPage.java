package dev.gavel.sep.board;

import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.lifecycle.process.StateDefinition;
import dev.gavel.sep.chart.MarkupBuilder;
import dev.gavel.sep.document.DeclaredSepRelations;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Writes the board page of one SEP: state, document, related SEPs and history. */
record BoardSepPage(BoardInput input, BoardEntry entry, BoardSepIndex sepIndex) {
    private static final String ROOT = "../";

    /** A period in one state; the last period has no end. */
    private record StatePeriod(String state, Instant since, Optional<Instant> until) {}

    String html() {
        MarkupBuilder main = new MarkupBuilder();
        main.add("<article class=\"sep\">\n<header class=\"head\">\n");
        main.add("<p class=\"number\">%s</p>\n<h1 dir=\"auto\">%s</h1>\n", label(entry.number()), entry.title());
        facts(main);
        main.add("</header>\n");
        stateTimeline(main);
        new BoardSepSidebarWriter(input, entry).write(main);
        main.add("<div class=\"text\">\n");
        String text = input.text().apply(entry.sep());
        if (text.isBlank()) {
            main.add("<p class=\"empty\">The document is not available.</p>\n");
        } else {
            main.raw(HtmlHeadingDemoter.demote(input.render().apply(text)));
        }
        main.add("\n</div>\n<div class=\"more\">\n");
        related(main);
        history(main);
        main.add("</div>\n</article>\n");
        return BoardPageFrameWriter.page(
                input, label(entry.number()) + ": " + entry.title(), BoardPageFrameWriter.Tab.OTHER, ROOT, main);
    }

    private String label(int number) {
        return input.terms().numberLabel(number);
    }

    private void facts(MarkupBuilder main) {
        main.add("<dl class=\"facts\">\n");
        String type = entry.type(input.processDefinition());
        if (!type.isBlank()) {
            fact(main, "Type", MarkupBuilder.escape(type));
        }
        for (Role role : input.processDefinition().roles().values()) {
            if (role instanceof Role.ProposalRole proposalRole) {
                List<Person> people = entry.sep().snapshot().holders().people(proposalRole.name());
                if (!people.isEmpty() || !proposalRole.proposer()) {
                    fact(main, roleLabel(proposalRole.name()), people.isEmpty() ? "none" : names(people));
                }
            }
        }
        fact(main, "Submitted", BoardPageFrameWriter.dayTag(entry.sep().submittedAt()));
        entry.sep()
                .metadata()
                .discussion()
                .flatMap(BoardPageFrameWriter::webAddress)
                .ifPresent(link -> link(main, "Discussion", link));
        entry.sep()
                .metadata()
                .pr()
                .flatMap(BoardPageFrameWriter::webAddress)
                .ifPresent(link -> link(main, "Pull request", link));
        main.add("</dl>\n");
    }

    private String names(List<Person> people) {
        return new MarkupBuilder()
                .add(
                        "<span dir=\"auto\">%s</span>",
                        String.join(", ", people.stream().map(input::name).toList()))
                .toString();
    }

    private static void link(MarkupBuilder main, String name, String address) {
        String shown = address.replaceFirst("(?i)^https?://(?:www\\.)?", "").replaceFirst("/$", "");
        fact(
                main,
                name,
                new MarkupBuilder()
                        .add("<a href=\"%s\" rel=\"nofollow noopener\">%s</a>", address, shown)
                        .toString());
    }

    private static void fact(MarkupBuilder main, String name, String safe) {
        main.add("<div><dt>%s</dt><dd>", name).raw(safe).add("</dd></div>\n");
    }

    /** Returns a role's name as a label. */
    private static String roleLabel(String role) {
        String words = role.replace('-', ' ');
        return Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }

    private void stateTimeline(MarkupBuilder main) {
        main.add("<ol class=\"rail\" aria-label=\"State history\">\n");
        for (StatePeriod statePeriod : statePeriods()) {
            boolean here = statePeriod.until().isEmpty();
            main.add(here ? "<li class=\"here\" aria-current=\"step\">" : "<li>");
            main.add("<b>%s</b> ", statePeriod.state()).raw(BoardPageFrameWriter.dayTag(statePeriod.since()));
            main.add(
                    " <span class=\"age\">%s</span></li>\n",
                    BoardPageFrameWriter.age(
                            statePeriod.since(), statePeriod.until().orElse(input.now())));
        }
        entry.guidance().moves().stream()
                .filter(next -> isNextOpenState(next.to()))
                .findFirst()
                .ifPresent(next -> main.add("<li class=\"ahead\"><b>%s</b> possible next state</li>\n", next.to()));
        main.add("</ol>\n");
    }

    private boolean isNextOpenState(String state) {
        StateDefinition found = input.processDefinition().states().get(state);
        return found != null
                && !found.isEnd()
                && input.processDefinition().state(entry.sep().state()).isOpen();
    }

    private List<StatePeriod> statePeriods() {
        List<StatePeriod> statePeriods = new ArrayList<>();
        for (LifecycleEvent event : entry.sep().history().events()) {
            switch (event) {
                case LifecycleEvent.Submitted submitted ->
                    statePeriods.add(new StatePeriod(submitted.state(), submitted.at(), Optional.empty()));
                case LifecycleEvent.Moved moved -> {
                    StatePeriod last = statePeriods.removeLast();
                    statePeriods.add(new StatePeriod(last.state(), last.since(), Optional.of(moved.at())));
                    statePeriods.add(new StatePeriod(moved.to(), moved.at(), Optional.empty()));
                }
                default -> {}
            }
        }
        return statePeriods;
    }

    private void related(MarkupBuilder main) {
        DeclaredSepRelations declaredSepRelations = entry.sep().metadata().declaredSepRelations();
        MarkupBuilder rows = new MarkupBuilder();
        related(rows, "Supersedes", declaredSepRelations.supersedes());
        related(rows, "Replaces", declaredSepRelations.replaces());
        related(rows, "Requires", declaredSepRelations.requires());
        related(rows, "Superseded by", declaredSepRelations.supersededBy());
        related(
                rows,
                "Similar " + input.terms().plural(),
                sepIndex.similarTo(entry).stream().map(BoardEntry::number).toList());
        if (!rows.toString().isEmpty()) {
            main.add(
                            "<section class=\"card\" aria-labelledby=\"related\">\n<h2 id=\"related\">Related %s</h2>\n<dl>\n",
                            input.terms().plural())
                    .raw(rows.toString())
                    .add("</dl>\n</section>\n");
        }
    }

    private void related(MarkupBuilder rows, String how, List<Integer> numbers) {
        if (numbers.isEmpty()) {
            return;
        }
        rows.add("<dt>%s</dt>\n", how);
        for (int number : numbers) {
            rows.add("<dd>");
            sepIndex.find(number)
                    .ifPresentOrElse(
                            other -> rows.add("<a href=\"%s.html\">%s</a> ", number, label(number))
                                    .add("<span dir=\"auto\">%s</span>", other.title())
                                    .add(
                                            " <span class=\"muted\">%s</span>",
                                            other.sep().state()),
                            () -> rows.add("%s <span class=\"muted\">not on this board</span>", label(number)));
            rows.add("</dd>\n");
        }
    }

    private void history(MarkupBuilder main) {
        BoardHistoryEventFormatter words = new BoardHistoryEventFormatter(input);
        main.add("<section class=\"card\" aria-labelledby=\"history\">\n<h2 id=\"history\">History</h2>\n");
        main.add("<ol class=\"history\">\n");
        for (LifecycleEvent event : entry.sep().history().events().reversed()) {
            BoardHistoryEventFormatter.FormattedEvent formattedEvent = words.format(event);
            main.add("<li>").raw(BoardPageFrameWriter.dayTag(event.at()));
            main.add(" <span dir=\"auto\">%s</span>", formattedEvent.sentence());
            for (String quote : formattedEvent.quotes()) {
                int colon = quote.indexOf(": ");
                String value = colon < 0 ? quote : quote.substring(colon + 2);
                String before = BoardPageFrameWriter.webAddress(value).isPresent() && colon > 0
                        ? quote.substring(0, colon + 2)
                        : "";
                main.add("<blockquote dir=\"auto\">%s", before)
                        .raw(BoardPageFrameWriter.linkify(before.isEmpty() ? quote : value))
                        .add("</blockquote>");
            }
            main.add("</li>\n");
        }
        main.add("</ol>\n</section>\n");
    }
}
