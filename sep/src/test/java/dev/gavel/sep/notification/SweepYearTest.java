package dev.gavel.sep.notification;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.ClockAction;
import dev.gavel.lifecycle.ExternalFacts;
import dev.gavel.lifecycle.LifecycleCommand;
import dev.gavel.lifecycle.LifecycleEngine;
import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.history.BallotChoice;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.history.LifecycleHistory;
import dev.gavel.lifecycle.result.LifecycleCommandResult;
import dev.gavel.sep.Sep;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Replays a year of SEPs that is swept every morning, and compares all events with a recorded text. The actions of
 * people are in {@code a-year-of-PROCESS.script.txt}. All resulting events, of people and of the process, are compared
 * with {@code a-year-of-PROCESS.txt}, in which {@code >} marks actions of the process and {@code !} refusals.
 */
class SweepYearTest {
    private static final LocalDate FIRST = LocalDate.parse("2026-01-01");
    private static final Map<String, List<String>> ROLES = Map.of(
            "mo", List.of("maintainer"),
            "sam", List.of("maintainer"),
            "cora", List.of("core-maintainer"),
            "carl", List.of("core-maintainer"));

    private final SortedMap<Integer, Sep> seps = new TreeMap<>();
    private final List<String> transcript = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(strings = {"sep-1286", "mcp-2026"})
    void aYearGoesByAsItIsWritten(String name) throws IOException {
        LifecycleEngine lifecycleEngine = NotificationFixtures.read("../processes/" + name + ".yaml");
        Path folder = Path.of("src/test/resources");
        List<String> script = Files.readAllLines(folder.resolve("a-year-of-" + name + ".script.txt"));
        for (LocalDate day = FIRST; day.isBefore(FIRST.plusDays(365)); day = day.plusDays(1)) {
            sweep(lifecycleEngine, day);
            for (String line : script) {
                if (line.startsWith(day.toString())) {
                    act(lifecycleEngine, day, line.split(" ", 5));
                }
            }
        }
        for (Sep sep : seps.values()) {
            transcript.add("SEP " + sep.number() + " is " + sep.state());
        }
        Path wanted = folder.resolve("a-year-of-" + name + ".txt");
        assertThat(String.join("\n", transcript)).isEqualTo(String.join("\n", Files.readAllLines(wanted)));
    }

    private void sweep(LifecycleEngine lifecycleEngine, LocalDate day) {
        Instant morning = day.atTime(6, 0).toInstant(ZoneOffset.UTC);
        List<SepClockAction> sepClockActions =
                SepClockActionFinder.findDue(seps.values(), lifecycleEngine, _ -> NotificationFixtures.PEOPLE, morning);
        for (SepClockAction sepClockAction : sepClockActions) {
            decide(
                    lifecycleEngine,
                    sepClockAction.number(),
                    new LifecycleCommand.PerformClockAction(sepClockAction.clockAction()),
                    morning);
            String noticeText = notice(lifecycleEngine, sepClockAction.number());
            transcript.add(day + " > SEP " + sepClockAction.number() + " " + noticeText);
        }
        assertThat(SepClockActionFinder.findDue(
                        seps.values(), lifecycleEngine, _ -> NotificationFixtures.PEOPLE, morning))
                .as("a sweep leaves nothing due")
                .isEmpty();
        for (SepClockAction sepClockAction : sepClockActions) {
            if (sepClockAction.clockAction() instanceof ClockAction.Reminder reminder) {
                reminder.recipients()
                        .forEach(personOrGroup ->
                                assertNotRemindedTwice(sepClockAction.number(), (Person) personOrGroup, morning));
            }
        }
    }

    /** Asserts that a person gets no second reminder about a SEP within two weeks. */
    private void assertNotRemindedTwice(int number, Person person, Instant now) {
        long recent = sep(number).snapshot().reminderHistory().pings().stream()
                .filter(ping -> ping.at().isAfter(now.minus(Duration.ofDays(14)))
                        && ping.recipients().contains(person))
                .count();
        assertThat(recent).as("%s about %s on %s", person, number, now).isEqualTo(1);
    }

    private String notice(LifecycleEngine lifecycleEngine, int number) {
        Sep sep = sep(number);
        SepNotification sepNotification = SepNotification.of(
                        sep.history().events().getLast(),
                        sep,
                        lifecycleEngine,
                        NotificationFixtures.PEOPLE,
                        Optional.empty())
                .orElseThrow();
        return sepNotification.kind().wireName() + " to " + sepNotification.recipientNames() + ": "
                + sepNotification.text();
    }

    /** Executes a line of the script: date, number, actor, action, the rest. */
    private void act(LifecycleEngine lifecycleEngine, LocalDate day, String[] words) {
        int number = Integer.parseInt(words[1]);
        Actor actor = new Actor(new Person(words[2]), ROLES.getOrDefault(words[2], List.of()));
        String rest = words.length > 4 ? words[4] : "";
        Instant noon = day.atTime(12, 0).toInstant(ZoneOffset.UTC);
        String answer = decide(lifecycleEngine, number, command(actor, words[3], rest), noon);
        transcript.add(day + (answer.isEmpty() ? "   SEP " : " ! SEP ") + number + " " + words[2] + " " + words[3]
                + (rest.isEmpty() ? "" : " " + rest)
                + (answer.isEmpty() ? "" : ": " + answer));
    }

    private static LifecycleCommand command(Actor by, String verb, String rest) {
        return switch (verb) {
            case "submits" -> new LifecycleCommand.Submit(by, List.of(), Map.of("title", rest), List.of());
            case "sponsors" -> new LifecycleCommand.TakeRole(by, "sponsor", List.of());
            case "steps-down" -> new LifecycleCommand.StepDown(by, "sponsor");
            case "says" -> new LifecycleCommand.Comment(by, rest);
            case "asks" -> new LifecycleCommand.Ask(by, new Person(rest), "Would you have a look?");
            case "attaches" -> new LifecycleCommand.Attach(by, evidence(rest));
            case "confirms" -> new LifecycleCommand.Confirm(by, rest, Optional.empty());
            case "votes" ->
                new LifecycleCommand.Vote(
                        by, BallotChoice.valueOf(rest.split(" ", 2)[0].toUpperCase(Locale.ROOT)), rest);
            case "holds" -> new LifecycleCommand.Hold(by, rest);
            case "releases" -> new LifecycleCommand.Release(by, rest);
            case "transfers" -> new LifecycleCommand.TransferRole(by, "author", new Person(rest), true);
            case "moves" -> {
                String[] parts = rest.split(" ", 2);
                yield new LifecycleCommand.MoveTo(by, parts[0], parts.length > 1 ? evidence(parts[1]) : List.of());
            }
            default -> throw new AssertionError(verb);
        };
    }

    /** Parses {@code kind=value; kind=value}. */
    private static List<Evidence> evidence(String text) {
        List<Evidence> evidence = new ArrayList<>();
        for (String piece : text.split("; ", -1)) {
            String[] sides = piece.split("=", 2);
            evidence.add(new Evidence(sides[0], sides[1]));
        }
        return evidence;
    }

    /** Executes a command, and returns the reason if it is refused. */
    private String decide(LifecycleEngine lifecycleEngine, int number, LifecycleCommand command, Instant now) {
        LifecycleHistory history = seps.containsKey(number) ? sep(number).history() : LifecycleHistory.empty();
        ExternalFacts externalFacts = NotificationFixtures.PEOPLE;
        return switch (lifecycleEngine.decide(history, command, externalFacts, now)) {
            case LifecycleCommandResult.Accepted<LifecycleEvent> accepted -> {
                seps.put(number, NotificationFixtures.sep(number, "", history.append(accepted.events())));
                yield "";
            }
            case LifecycleCommandResult.Refused<LifecycleEvent> refused ->
                refused.refusal().message();
        };
    }

    private Sep sep(int number) {
        return Optional.ofNullable(seps.get(number)).orElseThrow();
    }
}
