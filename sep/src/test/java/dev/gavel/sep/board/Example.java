package dev.gavel.sep.board;

import dev.gavel.lifecycle.history.Ballot;
import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.History;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.people.Group;
import dev.gavel.lifecycle.people.Person;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.sep.Sep;
import dev.gavel.sep.chart.Markup;
import dev.gavel.sep.desk.KnownFacts;
import dev.gavel.sep.document.Document;
import dev.gavel.sep.process.Processes;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Some proposals in different states, with everything that can happen to one. */
final class Example {
    static final Process PROCESS = Processes.usual();
    static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");

    /** What nobody should ever see run. */
    static final String EVIL = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&";

    private static final Actor ANN = Actor.of("ann");
    private static final Actor BEA = Actor.of("bea", "maintainer");
    private static final Actor COR = Actor.of("cor", "core-maintainer", "maintainer");

    private Example() {}

    static Instant day(int day) {
        return Instant.parse("2025-09-01T00:00:00Z").plus(Duration.ofDays(day));
    }

    static Sep sep(int number, String title, Event... events) {
        return new Sep(
                number,
                History.of(List.of(events)),
                Document.read("# SEP-" + number + ": " + title + "\n\n## Abstract\n\nText.\n")
                        .outline(),
                "hash-" + number);
    }

    static Event.Submitted submitted(int day, String state, String title) {
        return new Event.Submitted(
                day(day),
                ANN,
                state,
                PROCESS.proposer().name(),
                List.of(ANN.person(), new Person("zoe")),
                Map.of("title", title, "type", "Standards Track"));
    }

    /** In review, after all that can happen. */
    static Sep voted() {
        return sep(
                12,
                "Cursors for lists",
                submitted(0, "proposal", "Cursors for lists"),
                new Event.Commented(day(1), BEA, "Nice. " + EVIL),
                new Event.RoleTaken(day(2), BEA, "sponsor", BEA.person()),
                new Event.Moved(day(2), BEA, "proposal", "draft", List.of()),
                new Event.Moved(
                        day(20),
                        BEA,
                        "draft",
                        "provisional",
                        List.of(new Evidence("goals", "https://x.example/g?a=1&b=2"))),
                new Event.Attached(day(30), ANN, List.of(new Evidence("prototype", "javascript:alert(1)"))),
                new Event.Asked(day(31), ANN, COR.person(), "Is this it?"),
                new Event.Pinged(
                        day(60),
                        Actor.system(),
                        "progress",
                        Duration.ofDays(14),
                        List.of(new Group("maintainer")),
                        "Go on."),
                new Event.Moved(day(70), BEA, "provisional", "in-review", List.of(new Evidence("review", EVIL))),
                new Event.Voted(day(80), COR, Ballot.YES, ""),
                new Event.Voted(day(81), Actor.of("dan", "core-maintainer"), Ballot.CONCERN, EVIL),
                new Event.Held(day(82), COR, "wait " + EVIL));
    }

    static List<Sep> seps() {
        List<Sep> all = new ArrayList<>();
        all.add(voted());
        all.add(sep(7, EVIL, submitted(100, "proposal", EVIL)));
        all.add(sep(
                3,
                "Signed messages",
                submitted(5, "proposal", "Signed messages"),
                new Event.Moved(day(90), ANN, "proposal", "withdrawn", List.of(new Evidence("reason", "no time")))));
        return all;
    }

    static BoardInput input(List<Sep> seps) {
        Map<Integer, Sep> byNumber = new LinkedHashMap<>();
        seps.forEach(sep -> byNumber.put(sep.number(), sep));
        return new BoardInput(
                "Proposals & more",
                "Made up.",
                PROCESS,
                seps,
                sep -> "# SEP-" + sep.number() + "\n\ntext of it",
                sep -> sep.outline().summary(),
                text -> "<h1>Title</h1><h2>Abstract</h2><p>" + Markup.escaped(text) + "</p>",
                sep -> KnownFacts.of(sep, PROCESS, number -> Optional.ofNullable(byNumber.get(number))),
                NOW);
    }

    static Map<String, String> written(BoardInput input) {
        Map<String, String> files = new LinkedHashMap<>();
        try {
            Board.write(input, files::put, Progress.NONE);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return files;
    }
}
