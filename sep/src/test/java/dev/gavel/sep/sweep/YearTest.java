package dev.gavel.sep.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.Circumstances;
import dev.gavel.lifecycle.Command;
import dev.gavel.lifecycle.Due;
import dev.gavel.lifecycle.Lifecycle;
import dev.gavel.lifecycle.answer.Decision;
import dev.gavel.lifecycle.history.Ballot;
import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.History;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.people.Person;
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
 * A year of invented people's proposals, swept every morning as of that day. What they do stands in {@code
 * a-year-of-PROCESS.script.txt}; all that comes of it, their doings and the process's own, is compared with {@code
 * a-year-of-PROCESS.txt}, where {@code >} marks what the process did and {@code !} what was refused.
 */
class YearTest {
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
        Lifecycle lifecycle = Samples.read("../processes/" + name + ".yaml");
        Path folder = Path.of("src/test/resources");
        List<String> script = Files.readAllLines(folder.resolve("a-year-of-" + name + ".script.txt"));
        for (LocalDate day = FIRST; day.isBefore(FIRST.plusDays(365)); day = day.plusDays(1)) {
            sweep(lifecycle, day);
            for (String line : script) {
                if (line.startsWith(day.toString())) {
                    act(lifecycle, day, line.split(" ", 5));
                }
            }
        }
        for (Sep sep : seps.values()) {
            transcript.add("SEP " + sep.number() + " is " + sep.state());
        }
        Path wanted = folder.resolve("a-year-of-" + name + ".txt");
        assertThat(String.join("\n", transcript)).isEqualTo(String.join("\n", Files.readAllLines(wanted)));
    }

    private void sweep(Lifecycle lifecycle, LocalDate day) {
        Instant morning = day.atTime(6, 0).toInstant(ZoneOffset.UTC);
        List<Errand> errands = Sweep.due(seps.values(), lifecycle, _ -> Samples.PEOPLE, morning);
        for (Errand errand : errands) {
            decide(lifecycle, errand.number(), new Command.Carry(errand.due()), morning);
            String told = notice(lifecycle, errand.number());
            transcript.add(day + " > SEP " + errand.number() + " " + told);
        }
        assertThat(Sweep.due(seps.values(), lifecycle, _ -> Samples.PEOPLE, morning))
                .as("a sweep leaves nothing due")
                .isEmpty();
        for (Errand errand : errands) {
            if (errand.due() instanceof Due.Ping ping) {
                ping.whom().forEach(party -> alone(errand.number(), (Person) party, morning));
            }
        }
    }

    /** Nobody was reminded of this twice in two weeks. */
    private void alone(int number, Person person, Instant now) {
        long recent = sep(number).standing().reminders().pings().stream()
                .filter(ping -> ping.at().isAfter(now.minus(Duration.ofDays(14)))
                        && ping.whom().contains(person))
                .count();
        assertThat(recent).as("%s about %s on %s", person, number, now).isEqualTo(1);
    }

    private String notice(Lifecycle lifecycle, int number) {
        Sep sep = sep(number);
        Notice notice = Notice.of(sep.history().events().getLast(), sep, lifecycle, Samples.PEOPLE, Optional.empty())
                .orElseThrow();
        return notice.kind().word() + " to " + notice.addressees() + ": " + notice.text();
    }

    /** A line of the script: date, number, who, what, the rest. */
    private void act(Lifecycle lifecycle, LocalDate day, String[] words) {
        int number = Integer.parseInt(words[1]);
        Actor actor = new Actor(new Person(words[2]), ROLES.getOrDefault(words[2], List.of()));
        String rest = words.length > 4 ? words[4] : "";
        Instant noon = day.atTime(12, 0).toInstant(ZoneOffset.UTC);
        String answer = decide(lifecycle, number, command(actor, words[3], rest), noon);
        transcript.add(day + (answer.isEmpty() ? "   SEP " : " ! SEP ") + number + " " + words[2] + " " + words[3]
                + (rest.isEmpty() ? "" : " " + rest)
                + (answer.isEmpty() ? "" : ": " + answer));
    }

    private static Command command(Actor by, String verb, String rest) {
        return switch (verb) {
            case "submits" -> new Command.Submit(by, List.of(), Map.of("title", rest), List.of());
            case "sponsors" -> new Command.Take(by, "sponsor", List.of());
            case "steps-down" -> new Command.StepDown(by, "sponsor");
            case "says" -> new Command.Comment(by, rest);
            case "asks" -> new Command.Ask(by, new Person(rest), "Would you have a look?");
            case "attaches" -> new Command.Attach(by, evidence(rest));
            case "votes" -> new Command.Vote(by, Ballot.valueOf(rest.split(" ", 2)[0].toUpperCase(Locale.ROOT)), rest);
            case "holds" -> new Command.Hold(by, rest);
            case "releases" -> new Command.Release(by, rest);
            case "transfers" -> new Command.Transfer(by, "author", new Person(rest), true);
            case "moves" -> {
                String[] parts = rest.split(" ", 2);
                yield new Command.MoveTo(by, parts[0], parts.length > 1 ? evidence(parts[1]) : List.of());
            }
            default -> throw new AssertionError(verb);
        };
    }

    /** {@code kind=value; kind=value}. */
    private static List<Evidence> evidence(String text) {
        List<Evidence> evidence = new ArrayList<>();
        for (String piece : text.split("; ", -1)) {
            String[] sides = piece.split("=", 2);
            evidence.add(new Evidence(sides[0], sides[1]));
        }
        return evidence;
    }

    /** Does it, and gives the reason where it is refused. */
    private String decide(Lifecycle lifecycle, int number, Command command, Instant now) {
        History history = seps.containsKey(number) ? sep(number).history() : History.empty();
        Circumstances circumstances = Samples.PEOPLE;
        return switch (lifecycle.decide(history, command, circumstances, now)) {
            case Decision.Accepted<Event> accepted -> {
                seps.put(number, Samples.sep(number, "", history.plus(accepted.events())));
                yield "";
            }
            case Decision.Refused<Event> refused -> refused.refusal().message();
        };
    }

    private Sep sep(int number) {
        return Optional.ofNullable(seps.get(number)).orElseThrow();
    }
}
