package dev.gavel.sep.board;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.RoleGroup;
import dev.gavel.lifecycle.history.BallotChoice;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.history.LifecycleHistory;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.sep.Sep;
import dev.gavel.sep.chart.MarkupBuilder;
import dev.gavel.sep.document.DocumentFixtures;
import dev.gavel.sep.process.BuiltInProcesses;
import dev.gavel.sep.service.OfflineSepFactEvaluator;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** SEPs in different states, and a board input made of them, for board tests. */
final class BoardFixtures {
    static final ProcessDefinition PROCESS = BuiltInProcesses.defaultProcess();
    static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");

    /** Markup that no page may execute. */
    static final String HOSTILE_TEXT = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&";

    private static final Actor ANN = Actor.of("ann");
    private static final Actor BEA = Actor.of("bea", "maintainer");
    private static final Actor COR = Actor.of("cor", "core-maintainer", "maintainer");

    private BoardFixtures() {}

    static Instant day(int day) {
        return Instant.parse("2025-09-01T00:00:00Z").plus(Duration.ofDays(day));
    }

    static Sep sep(int number, String title, LifecycleEvent... events) {
        return new Sep(
                number,
                LifecycleHistory.of(List.of(events)),
                DocumentFixtures.read("# SEP-" + number + ": " + title + "\n\n## Abstract\n\nText.\n")
                        .metadata(),
                "hash-" + number);
    }

    static LifecycleEvent.Submitted submitted(int day, String state, String title) {
        return new LifecycleEvent.Submitted(
                day(day),
                ANN,
                state,
                PROCESS.proposerRole().name(),
                List.of(ANN.person(), new Person("zoe")),
                Map.of("title", title, "type", "Standards Track"));
    }

    /** A SEP in review with every kind of event. */
    static Sep votedSep() {
        return sep(
                12,
                "Cursors for lists",
                submitted(0, "proposal", "Cursors for lists"),
                new LifecycleEvent.Commented(day(1), BEA, "Nice. " + HOSTILE_TEXT),
                new LifecycleEvent.RoleTaken(day(2), BEA, "sponsor", BEA.person()),
                new LifecycleEvent.Moved(day(2), BEA, "proposal", "draft", List.of()),
                new LifecycleEvent.Moved(
                        day(20),
                        BEA,
                        "draft",
                        "provisional",
                        List.of(new Evidence("goals", "https://x.example/g?a=1&b=2"))),
                new LifecycleEvent.EvidenceAttached(
                        day(30), ANN, List.of(new Evidence("prototype", "javascript:alert(1)"))),
                new LifecycleEvent.QuestionAsked(day(31), ANN, COR.person(), "Is this it?"),
                new LifecycleEvent.Pinged(
                        day(60),
                        Actor.system(),
                        "progress",
                        Duration.ofDays(14),
                        List.of(new RoleGroup("maintainer")),
                        "Go on."),
                new LifecycleEvent.Moved(
                        day(70), BEA, "provisional", "in-review", List.of(new Evidence("review", HOSTILE_TEXT))),
                new LifecycleEvent.Voted(day(80), COR, BallotChoice.YES, ""),
                new LifecycleEvent.Voted(
                        day(81), Actor.of("dan", "core-maintainer"), BallotChoice.CONCERN, HOSTILE_TEXT),
                new LifecycleEvent.DecisionHeld(day(82), COR, "wait " + HOSTILE_TEXT));
    }

    static List<Sep> seps() {
        List<Sep> all = new ArrayList<>();
        all.add(votedSep());
        all.add(sep(7, HOSTILE_TEXT, submitted(100, "proposal", HOSTILE_TEXT)));
        all.add(sep(
                3,
                "Signed messages",
                submitted(5, "proposal", "Signed messages"),
                new LifecycleEvent.Moved(
                        day(90), ANN, "proposal", "withdrawn", List.of(new Evidence("reason", "no time")))));
        return all;
    }

    static BoardInput input(List<Sep> seps) {
        return input(seps, Map.of());
    }

    static BoardInput input(List<Sep> seps, Map<Person, String> names) {
        Map<Integer, Sep> byNumber = new LinkedHashMap<>();
        seps.forEach(sep -> byNumber.put(sep.number(), sep));
        return new BoardInput(
                "Proposals & more",
                "Made up.",
                PROCESS,
                seps,
                sep -> "# SEP-" + sep.number() + "\n\ntext of it",
                sep -> sep.metadata().summary(),
                text -> "<h1>Title</h1><h2>Abstract</h2><p>" + MarkupBuilder.escape(text) + "</p>",
                sep -> OfflineSepFactEvaluator.of(sep, PROCESS, number -> Optional.ofNullable(byNumber.get(number))),
                names,
                NOW);
    }

    static Map<String, String> writeBoard(BoardInput input) {
        Map<String, String> files = new LinkedHashMap<>();
        try {
            BoardWriter.write(input, files::put, BoardPageWrittenListener.NONE);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return files;
    }
}
