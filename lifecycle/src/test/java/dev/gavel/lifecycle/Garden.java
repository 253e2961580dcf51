package dev.gavel.lifecycle;

import dev.gavel.lifecycle.file.ProcessFile;
import dev.gavel.lifecycle.file.Reading;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.process.Process;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The tests' own process, and the people of its garden. */
final class Garden {
    static final String TEXT = text();
    static final Process PROCESS = process(TEXT);
    static final Lifecycle LIFECYCLE = new Lifecycle(PROCESS);

    static final Actor ADA = Actor.of("ada");
    static final Actor MO = Actor.of("mo", "member");
    static final Actor MIA = Actor.of("mia", "member");
    static final Actor SAM = Actor.of("sam", "steward");
    static final Actor SUE = Actor.of("sue", "steward");
    static final Actor SOL = Actor.of("sol", "steward");
    static final Actor NED = Actor.of("ned", "neighbour");
    static final Actor EVE = Actor.of("eve");

    /** Who is who, and all facts hold. */
    static final Circumstances KNOWN = Circumstances.unknown()
            .withMembers("member", "mo", "mia")
            .withMembers("steward", "sam", "sue", "sol")
            .withFact("sketched")
            .withFact("reachable");

    static final Evidence REASON = new Evidence("reason", "because");
    static final Evidence PLAN = new Evidence("plan", "https://garden.example/plan");
    static final Evidence SEEDS = new Evidence("seeds", "https://garden.example/seeds");
    static final Evidence HARVEST = new Evidence("harvest", "https://garden.example/harvest");
    static final Evidence RULING = new Evidence("ruling", "yes");
    static final Evidence DUG = new Evidence("dug", "done");

    private Garden() {}

    static Instant day(int number) {
        return Instant.parse("2026-03-01T09:00:00Z").plus(Duration.ofDays(number));
    }

    static Evidence season(int day) {
        return new Evidence("season", Words.date(day(day)));
    }

    static Command move(Actor by, String to, Evidence... evidence) {
        return new Command.MoveTo(by, to, List.of(evidence));
    }

    static Command attach(Actor by, Evidence... evidence) {
        return new Command.Attach(by, List.of(evidence));
    }

    static Command submit(Actor by, Map<String, String> attributes) {
        return new Command.Submit(by, List.of(), attributes, List.of());
    }

    /** A proposal of Ada's, mentored by Mo where it has come that far, that went the shortest way to a state. */
    static Story in(String state) {
        Story idea = new Story().does(submit(ADA, Map.of("plant", "beans", "bed", "roof")));
        return switch (state) {
            case "idea" -> idea;
            case "digging" -> idea.does(move(MO, "digging"));
            case "council" -> in("digging").does(move(MO, "council", PLAN));
            case "shelved" -> in("council").does(move(SAM, "shelved", REASON, season(50)));
            case "growing" -> in("council").does(move(SAM, "growing", RULING, SEEDS));
            case "thriving" -> in("growing").does(move(ADA, "thriving", HARVEST));
            case "fallow" -> in("digging").does(move(MO, "fallow", REASON));
            case "composted" -> in("council").does(move(SAM, "composted", REASON));
            case "gone" -> idea.does(move(ADA, "gone", REASON));
            default -> throw new IllegalArgumentException(state);
        };
    }

    /** The garden under a changed rule. */
    static Lifecycle with(String rule, String changed) {
        if (!TEXT.contains(rule)) {
            throw new AssertionError("no rule '" + rule + "'");
        }
        return new Lifecycle(process(TEXT.replace(rule, changed)));
    }

    private static Process process(String text) {
        return switch (ProcessFile.read("garden.yaml", text)) {
            case Reading.Sound sound -> sound.process();
            case Reading.Unsound unsound -> throw new AssertionError(unsound.problems());
        };
    }

    private static String text() {
        try {
            return Files.readString(Path.of("src/test/resources/garden.yaml"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
