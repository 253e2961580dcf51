package dev.gavel.lifecycle;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.parser.ProcessFileParser;
import dev.gavel.lifecycle.parser.ProcessParseResult;
import dev.gavel.lifecycle.process.ProcessDefinition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Test fixture: the process of garden.yaml with its actors, evidence and specification proposals in each state. */
final class GardenProcess {
    static final String TEXT = text();
    static final ProcessDefinition PROCESS = process(TEXT);
    static final LifecycleEngine LIFECYCLE = new LifecycleEngine(PROCESS);

    static final Actor ADA = Actor.of("ada");
    static final Actor MO = Actor.of("mo", "member");
    static final Actor MIA = Actor.of("mia", "member");
    static final Actor SAM = Actor.of("sam", "steward");
    static final Actor SUE = Actor.of("sue", "steward");
    static final Actor SOL = Actor.of("sol", "steward");
    static final Actor ELI = Actor.of("eli", "elder");
    static final Actor NED = Actor.of("ned", "neighbour");
    static final Actor EVE = Actor.of("eve");

    /** The members of each role are known, and all facts hold. */
    static final ExternalFacts KNOWN = ExternalFacts.none()
            .withMembers("member", "mo", "mia")
            .withMembers("steward", "sam", "sue", "sol")
            .withFact("sketched")
            .withFact("reachable");

    static final Evidence REASON = new Evidence("reason", "because");
    static final Evidence PLAN = new Evidence("plan", "https://garden.example/plan");
    static final Evidence SEEDS = new Evidence("seeds", "https://garden.example/seeds");
    static final Evidence HARVEST = new Evidence("harvest", "https://garden.example/harvest");
    static final Evidence DUG = new Evidence("dug", "done");

    private GardenProcess() {}

    static Instant day(int number) {
        return Instant.parse("2026-03-01T09:00:00Z").plus(Duration.ofDays(number));
    }

    static Evidence season(int day) {
        return new Evidence("season", LifecycleMessageFormatter.formatDate(day(day)));
    }

    static LifecycleCommand move(Actor by, String to, Evidence... evidence) {
        return new LifecycleCommand.MoveTo(by, to, List.of(evidence));
    }

    static LifecycleCommand attach(Actor by, Evidence... evidence) {
        return new LifecycleCommand.Attach(by, List.of(evidence));
    }

    static Evidence ruling(String to) {
        return new Evidence("ruling", to + ": because");
    }

    static LifecycleCommand confirm(Actor by) {
        return new LifecycleCommand.Confirm(by, "ruling", Optional.empty());
    }

    /** The scenario after Sue's ruling for a state, which Sol confirmed. */
    static LifecycleScenario ruled(LifecycleScenario scenario, String to) {
        return scenario.perform(attach(SUE, ruling(to))).perform(confirm(SOL));
    }

    static LifecycleCommand submit(Actor by, Map<String, String> attributes) {
        return new LifecycleCommand.Submit(by, List.of(), attributes, List.of());
    }

    /** A proposal by Ada that reached a state by the shortest path; Mo mentors it from digging on. */
    static LifecycleScenario in(String state) {
        LifecycleScenario idea = new LifecycleScenario().perform(submit(ADA, Map.of("plant", "beans", "bed", "roof")));
        return switch (state) {
            case "idea" -> idea;
            case "digging" -> idea.perform(move(MO, "digging"));
            case "council" -> in("digging").perform(move(MO, "council", PLAN));
            case "shelved" -> ruled(in("council"), "shelved").perform(move(SAM, "shelved", REASON, season(50)));
            case "growing" -> ruled(in("council"), "growing").perform(move(SAM, "growing", SEEDS));
            case "thriving" -> in("growing").perform(move(ADA, "thriving", HARVEST));
            case "fallow" -> in("digging").perform(move(MO, "fallow", REASON));
            case "composted" -> idea.perform(move(SAM, "composted", REASON));
            case "gone" -> idea.perform(move(ADA, "gone", REASON));
            default -> throw new IllegalArgumentException(state);
        };
    }

    /** The engine of the garden process with one rule of its text replaced. */
    static LifecycleEngine with(String rule, String changed) {
        if (!TEXT.contains(rule)) {
            throw new AssertionError("no rule '" + rule + "'");
        }
        return new LifecycleEngine(process(TEXT.replace(rule, changed)));
    }

    private static ProcessDefinition process(String text) {
        return switch (ProcessFileParser.parse("garden.yaml", text)) {
            case ProcessParseResult.Valid valid -> valid.processDefinition();
            case ProcessParseResult.Invalid invalid -> throw new AssertionError(invalid.problems());
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
