package dev.gavel.lifecycle;

import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.PersonOrGroup;
import dev.gavel.lifecycle.actor.RoleGroup;
import dev.gavel.lifecycle.history.LatestEvidenceByKind;
import dev.gavel.lifecycle.process.EvidenceDefinition;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.lifecycle.process.TextTemplate;
import dev.gavel.lifecycle.result.LifecycleGuidance.Deadline;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Formats roles, people, dates and durations, and fills in text templates, for the messages of the lifecycle engine.
 */
record LifecycleMessageFormatter(LifecycleContext context) {
    /** Formats roles as alternatives, for example "the mentor (ann) or a steward". */
    String formatRoles(Collection<String> roles) {
        return roles.isEmpty()
                ? "no one"
                : formatAlternatives(roles.stream().map(this::role).toList());
    }

    /** Formats people and groups, for example "ann and bob" or "a steward". */
    String formatParties(Collection<? extends PersonOrGroup> parties) {
        return String.join(
                " and ",
                parties.stream()
                        .map(party -> switch (party) {
                            case Person person -> context.externalFacts().nameOf(person);
                            case RoleGroup group -> role(group.role());
                        })
                        .toList());
    }

    /** Returns the text with its placeholders filled in. */
    String fill(TextTemplate textTemplate, Optional<Deadline> deadline) {
        return textTemplate.fill(name -> switch (name) {
            case "state" -> context.snapshot().state();
            case "since" -> formatDate(context.snapshot().since());
            case "days" ->
                String.valueOf(Duration.between(context.snapshot().since(), context.now())
                        .toDays());
            case "expected" -> deadline.map(e -> formatDate(e.at())).orElse("no date");
            case "then" -> deadline.map(Deadline::consequence).orElse("nothing happens automatically");
            default -> value(name);
        });
    }

    static String formatDate(Instant instant) {
        return instant.atZone(ZoneOffset.UTC).toLocalDate().toString();
    }

    /** Formats a duration, for example "14 days" or "2 hours". */
    static String formatDuration(Duration duration) {
        if (duration.toSeconds() % 86_400 == 0) {
            return plural(duration.toDays(), "day");
        }
        if (duration.toSeconds() % 3_600 == 0) {
            return plural(duration.toHours(), "hour");
        }
        return duration.toSeconds() % 60 == 0
                ? plural(duration.toMinutes(), "minute")
                : plural(duration.toSeconds(), "second");
    }

    /** Formats states as alternatives, for example "`draft` or `rejected`". */
    static String formatStates(Collection<String> states) {
        return formatAlternatives(
                states.stream().map(LifecycleMessageFormatter::formatState).toList());
    }

    static String formatState(String state) {
        return "`" + state + "`";
    }

    static String formatAlternatives(List<String> words) {
        return switch (words.size()) {
            case 0 -> "none";
            case 1 -> words.getFirst();
            default -> String.join(", ", words.subList(0, words.size() - 1)) + " or " + words.getLast();
        };
    }

    /** Says that a person can no longer act in a role, and why. */
    String formatLapse(String role, Person person) {
        String eligible = context.processDefinition()
                .findProposalRole(role)
                .flatMap(Role.ProposalRole::eligibleRole)
                .map(context.processDefinition()::title)
                .orElse(role);
        return context.externalFacts().nameOf(person) + " is no longer " + eligible
                + " or has no valid token, and so cannot act as "
                + context.processDefinition().title(role) + ".";
    }

    private String role(String role) {
        return switch (role) {
            case Role.ANYONE -> "anyone";
            case Role.SYSTEM -> "the process itself";
            default ->
                context.processDefinition().findProposalRole(role).isPresent()
                        ? context.processDefinition().title(role) + " (" + holders(role, "vacant") + ")"
                        : context.processDefinition().title(role);
        };
    }

    private String value(String name) {
        if (context.processDefinition().roles().containsKey(name)) {
            return context.processDefinition().findProposalRole(name).isPresent()
                    ? holders(name, "no one yet")
                    : context.processDefinition().title(name);
        }
        return evidenceFor(name)
                .map(LatestEvidenceByKind.Item::value)
                .or(() -> context.attribute(name))
                .orElse("none yet");
    }

    /**
     * The evidence that a placeholder shows. Evidence that is not always valid is shown only in the state in which it
     * was attached or into which its move led.
     */
    private Optional<LatestEvidenceByKind.Item> evidenceFor(String name) {
        EvidenceDefinition kind = context.processDefinition().evidence().get(name);
        return kind == null || kind.validity() == EvidenceDefinition.Validity.ALWAYS
                ? context.snapshot().evidence().latest(name)
                : context.snapshot().evidence().latestInState(name);
    }

    private String holders(String role, String vacantText) {
        List<Person> people = context.activePeople(role);
        return people.isEmpty() ? vacantText : formatParties(people);
    }

    private static String plural(long number, String unit) {
        return number + " " + unit + (number == 1 ? "" : "s");
    }
}
