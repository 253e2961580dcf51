package dev.gavel.sep.board;

import dev.gavel.lifecycle.Lifecycle;
import dev.gavel.lifecycle.Tally;
import dev.gavel.lifecycle.answer.Guidance;
import dev.gavel.lifecycle.answer.Prospect;
import dev.gavel.lifecycle.answer.Requirement;
import dev.gavel.lifecycle.history.Attachments;
import dev.gavel.lifecycle.history.Voting;
import dev.gavel.lifecycle.people.Group;
import dev.gavel.lifecycle.people.Party;
import dev.gavel.lifecycle.people.Person;
import dev.gavel.lifecycle.process.EvidenceKind;
import dev.gavel.lifecycle.process.State;
import dev.gavel.sep.chart.Markup;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Where a proposal stands and what is to be done, for whoever reads it. */
record GuidanceCard(BoardInput input, Entry entry) {
    void write(Markup main) {
        Guidance guidance = entry.guidance();
        main.add("<aside class=\"side\" aria-label=\"Where it stands\">\n");
        main.add(
                "<section class=\"card guidance\" aria-labelledby=\"stands\">\n<h2 id=\"stands\">Where it stands</h2>\n");
        main.add("<p class=\"status kind-%s\">%s</p>\n", kind(), guidance.status());
        main.add("<dl>\n<dt>Must act</dt>\n");
        if (guidance.mustAct().isEmpty()) {
            main.add("<dd>nobody</dd>\n");
        }
        for (Guidance.Holding holding : guidance.mustAct()) {
            main.add("<dd><b dir=\"auto\">%s</b>", called(holding.who()));
            if (holding.who() instanceof Person) {
                main.add(", %s", input.process().title(holding.as()));
            }
            main.add(" <span class=\"muted\">since ").raw(Frame.time(holding.since()));
            main.add(", %s</span></dd>\n", Frame.age(holding.since(), input.now()));
        }
        if (!guidance.waitingOn().isEmpty()) {
            main.add("<dt>Waiting on</dt>\n");
            guidance.waitingOn().forEach(party -> main.add("<dd dir=\"auto\">%s</dd>\n", called(party)));
        }
        main.add("<dt>Expected by</dt>\n<dd>");
        Optional<Guidance.Expectation> expected = guidance.expected();
        if (expected.isPresent()) {
            main.raw(Frame.time(expected.get().by()));
            main.add(
                    " <span class=\"muted\">then %s</span>",
                    lowered(expected.get().then()));
        } else {
            main.add("no date");
        }
        main.add("</dd>\n</dl>\n</section>\n");
        steps(main, guidance);
        advance(main, guidance);
        votes(main);
        evidence(main);
        main.add("</aside>\n");
    }

    private void steps(Markup main, Guidance guidance) {
        Map<String, String> steps = entry.nextSteps(input);
        main.add("<section class=\"card\" aria-labelledby=\"next\">\n<h2 id=\"next\">Next step</h2>\n<dl>\n");
        steps.forEach((who, step) -> main.add("<dt>%s</dt>\n<dd dir=\"auto\">%s</dd>\n", raised(who), step));
        main.add("<dt>%s</dt>\n", steps.isEmpty() ? "Everybody" : "Anybody else");
        main.add("<dd dir=\"auto\">%s</dd>\n</dl>\n</section>\n", guidance.nextStep());
    }

    private void advance(Markup main, Guidance guidance) {
        List<Prospect> on = new ArrayList<>();
        List<Prospect> others = new ArrayList<>();
        boolean open = guidance.toAdvance().stream().anyMatch(each -> is(each.to(), State.Kind.OPEN));
        for (Prospect each : guidance.toAdvance()) {
            boolean ahead = open ? is(each.to(), State.Kind.OPEN) : is(each.to(), State.Kind.SETTLED);
            (ahead ? on : others).add(each);
        }
        if (on.isEmpty() && others.isEmpty()) {
            return;
        }
        main.add(
                "<section class=\"card\" aria-labelledby=\"advance\">\n<h2 id=\"advance\">%s</h2>\n",
                on.isEmpty() ? "What can still happen" : "To advance");
        on.forEach(each -> prospect(main, each));
        if (on.isEmpty()) {
            others.forEach(each -> prospect(main, each));
        } else if (!others.isEmpty()) {
            main.add("<details>\n<summary>Other ways it can go</summary>\n");
            others.forEach(each -> prospect(main, each));
            main.add("</details>\n");
        }
        main.add("</section>\n");
    }

    private static void prospect(Markup main, Prospect prospect) {
        main.add("<h3>To %s</h3>\n<p class=\"muted\">by %s</p>\n", prospect.to(), prospect.who());
        prospect.barred().ifPresent(why -> main.add("<p class=\"complaint\" dir=\"auto\">%s</p>\n", why));
        if (prospect.requirements().isEmpty()) {
            return;
        }
        main.add("<ul class=\"ticks\">\n");
        for (Requirement need : prospect.requirements()) {
            main.add("<li class=\"%s\">", need.met() ? "met" : "unmet");
            main.add(
                    "<span class=\"tick\" role=\"img\" aria-label=\"%s\">%s</span>",
                    need.met() ? "there" : "missing", need.met() ? "✓" : "○");
            main.add("<span dir=\"auto\">%s", need.says());
            if (!need.accepts().isBlank() && !need.accepts().equals(need.says())) {
                main.add(" <span class=\"muted\">")
                        .raw(Frame.linked(need.accepts()))
                        .add("</span>");
            }
            main.add("</span></li>\n");
        }
        main.add("</ul>\n");
    }

    private void votes(Markup main) {
        Optional<Tally> tally =
                new Lifecycle(input.process()).tally(entry.sep().history(), entry.circumstances(), input.now());
        if (tally.isEmpty()) {
            return;
        }
        main.add("<section class=\"card\" aria-labelledby=\"votes\">\n<h2 id=\"votes\">Votes</h2>\n");
        main.add("<p>%s.</p>\n", raised(tally.get().words()));
        if (tally.get().carried()) {
            main.add("<p class=\"good\">It carries.</p>\n");
        }
        Map<Person, Voting.Cast> ballots = entry.sep().standing().voting().ballots();
        if (!ballots.isEmpty()) {
            main.add("<dl class=\"ballots\">\n");
            ballots.forEach((person, cast) -> main.add(
                            "<dt dir=\"auto\">%s</dt>\n<dd><b>%s</b>",
                            person.login(), cast.ballot().name().toLowerCase(Locale.ROOT))
                    .add(
                            cast.reason().isBlank() ? "</dd>\n" : " <span dir=\"auto\">%s</span></dd>\n",
                            reason(cast.reason())));
            main.add("</dl>\n");
        }
        main.add("</section>\n");
    }

    private static Object[] reason(String reason) {
        return reason.isBlank() ? new Object[] {} : new Object[] {reason};
    }

    private void evidence(Markup main) {
        Map<String, Attachments.Given> given = entry.sep().standing().evidence().ever();
        if (given.isEmpty()) {
            return;
        }
        main.add(
                "<section class=\"card\" aria-labelledby=\"evidence\">\n<h2 id=\"evidence\">Evidence so far</h2>\n<dl>\n");
        List<String> kinds = new ArrayList<>(input.process().evidence().keySet());
        given.keySet().stream().filter(kind -> !kinds.contains(kind)).sorted().forEach(kinds::add);
        for (String kind : kinds) {
            Attachments.Given piece = given.get(kind);
            if (piece != null) {
                EvidenceKind known = input.process().evidence().get(kind);
                main.add("<dt>%s</dt>\n<dd dir=\"auto\">", raised(known == null ? kind : known.says()))
                        .raw(Frame.linked(piece.value()))
                        .add(" <span class=\"muted\">")
                        .raw(Frame.time(piece.at()))
                        .add("</span></dd>\n");
            }
        }
        main.add("</dl>\n</section>\n");
    }

    private String kind() {
        return IndexPage.kind(input.process().state(entry.sep().state()));
    }

    private boolean is(String state, State.Kind kind) {
        State found = input.process().states().get(state);
        return found != null && found.kind() == kind;
    }

    private String called(Party party) {
        return party instanceof Group group ? input.process().title(group.role()) : Entry.called(party);
    }

    private static String raised(String words) {
        return words.isEmpty() ? words : Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }

    private static String lowered(String words) {
        return words.isEmpty() ? words : Character.toLowerCase(words.charAt(0)) + words.substring(1);
    }
}
