package dev.gavel.lifecycle;

import dev.gavel.lifecycle.answer.Guidance.Expectation;
import dev.gavel.lifecycle.history.Attachments;
import dev.gavel.lifecycle.people.Group;
import dev.gavel.lifecycle.people.Party;
import dev.gavel.lifecycle.people.Person;
import dev.gavel.lifecycle.process.EvidenceKind;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.lifecycle.process.Text;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Puts a scene into words. */
record Words(Scene scene) {
    /** "the mentor (ann) or a steward". */
    String roles(Collection<String> roles) {
        return choice(roles.stream().map(this::role).toList());
    }

    /** "ann and bob", "a steward". */
    String parties(Collection<? extends Party> parties) {
        return String.join(
                " and ",
                parties.stream()
                        .map(party -> switch (party) {
                            case Person person -> person.login();
                            case Group group -> role(group.role());
                        })
                        .toList());
    }

    /** A text with its placeholders filled. */
    String fill(Text text, Optional<Expectation> expected) {
        return text.fill(name -> switch (name) {
            case "state" -> scene.standing().state();
            case "since" -> date(scene.standing().since());
            case "days" ->
                String.valueOf(
                        Duration.between(scene.standing().since(), scene.now()).toDays());
            case "expected" -> expected.map(e -> date(e.by())).orElse("no date");
            case "then" -> expected.map(Expectation::then).orElse("nothing happens by itself");
            default -> value(name);
        });
    }

    static String date(Instant instant) {
        return instant.atZone(ZoneOffset.UTC).toLocalDate().toString();
    }

    /** "14 days", "2 hours". */
    static String span(Duration span) {
        if (span.toSeconds() % 86_400 == 0) {
            return plural(span.toDays(), "day");
        }
        if (span.toSeconds() % 3_600 == 0) {
            return plural(span.toHours(), "hour");
        }
        return span.toSeconds() % 60 == 0 ? plural(span.toMinutes(), "minute") : plural(span.toSeconds(), "second");
    }

    static String choice(List<String> words) {
        return switch (words.size()) {
            case 0 -> "nobody";
            case 1 -> words.getFirst();
            default -> String.join(", ", words.subList(0, words.size() - 1)) + " or " + words.getLast();
        };
    }

    private String role(String role) {
        return switch (role) {
            case Role.ANYONE -> "anyone";
            case Role.SYSTEM -> "the process itself";
            default ->
                scene.process().held(role).isPresent()
                        ? scene.process().title(role) + " (" + holders(role, "nobody now") + ")"
                        : scene.process().title(role);
        };
    }

    private String value(String name) {
        if (scene.process().roles().containsKey(name)) {
            return scene.process().held(name).isPresent()
                    ? holders(name, "nobody yet")
                    : scene.process().title(name);
        }
        return given(name)
                .map(Attachments.Given::value)
                .or(() -> scene.attribute(name))
                .orElse("none yet");
    }

    /** What a text may name of evidence: what came with a move tells of the state it led to, and of no later one. */
    private Optional<Attachments.Given> given(String name) {
        EvidenceKind kind = scene.process().evidence().get(name);
        return kind == null || kind.lasts() == EvidenceKind.Lasts.ALWAYS
                ? scene.standing().evidence().latest(name)
                : scene.standing().evidence().latestHere(name);
    }

    private String holders(String role, String nobody) {
        List<Person> people = scene.standing().holders().people(role);
        return people.isEmpty() ? nobody : parties(people);
    }

    private static String plural(long number, String unit) {
        return number + " " + unit + (number == 1 ? "" : "s");
    }
}
