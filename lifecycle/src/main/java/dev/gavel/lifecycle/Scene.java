package dev.gavel.lifecycle;

import dev.gavel.lifecycle.history.Attachments;
import dev.gavel.lifecycle.history.Standing;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.people.Group;
import dev.gavel.lifecycle.people.Party;
import dev.gavel.lifecycle.people.Person;
import dev.gavel.lifecycle.process.EvidenceKind;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.lifecycle.process.State;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A proposal under a process at a moment: what every answer is worked out from. */
record Scene(Process process, Standing standing, Circumstances circumstances, Instant now) {
    State state() {
        return process.state(standing.state());
    }

    Scene at(Standing other) {
        return new Scene(process, other, circumstances, now);
    }

    boolean has(Actor actor, String role) {
        if (role.equals(Role.ANYONE)) {
            return !actor.isSystem();
        }
        return process.held(role).isPresent()
                ? !actor.isSystem() && standing.holders().holds(actor.person(), role) && fit(actor, role)
                : process.brought(actor.roles()).contains(role);
    }

    boolean hasAny(Actor actor, Collection<String> roles) {
        return roles.stream().anyMatch(role -> has(actor, role));
    }

    /** Whether somebody is still what one must be to hold a role, as far as that is known. */
    boolean fit(Actor actor, String role) {
        return process.held(role)
                .flatMap(Role.Held::from)
                .filter(circumstances.members()::containsKey)
                .filter(from -> !process.brought(actor.roles()).contains(from))
                .flatMap(this::members)
                .map(members -> members.contains(actor.person()))
                .orElse(true);
    }

    boolean vacant(String role) {
        return process.held(role).isPresent() && standing.holders().of(role).isEmpty();
    }

    /** Since when nobody holds a role, no longer ago than the state was entered. */
    Instant vacantSince(String role) {
        return later(standing.since(), standing.holders().lastLeft(role));
    }

    /** The people who hold a role, or the group that brings it; the role itself where it is held by nobody. */
    List<Party> bearers(String role) {
        List<Person> holders = standing.holders().people(role);
        return process.held(role).isPresent() && !holders.isEmpty() ? List.copyOf(holders) : List.of(new Group(role));
    }

    /** Everybody known to bring a role, by itself or by one that implies it; empty where that is not known. */
    Optional<List<Person>> members(String role) {
        List<String> roles = process.roles().values().stream()
                .filter(found -> found.name().equals(role)
                        || (found instanceof Role.Brought brought
                                && brought.implies().contains(role)))
                .map(Role::name)
                .filter(circumstances.members()::containsKey)
                .toList();
        return roles.isEmpty()
                ? Optional.empty()
                : Optional.of(roles.stream()
                        .flatMap(found ->
                                Stream.ofNullable(circumstances.members().get(found)))
                        .flatMap(List::stream)
                        .distinct()
                        .toList());
    }

    /** The latest evidence of a kind, if it still counts. */
    Optional<Attachments.Given> evidence(EvidenceKind kind) {
        return switch (kind.lasts()) {
            case ALWAYS -> standing.evidence().latest(kind.name());
            case STATE -> standing.evidence().latestHere(kind.name());
            case MOVE -> Optional.empty();
        };
    }

    /** The date a piece of evidence given in this state, or with the move into it, says. */
    Optional<Instant> date(String kind) {
        return standing.evidence().latestHere(kind).flatMap(given -> parseDate(given.value()));
    }

    /** How the vote of this state stands, where it has one. */
    Optional<Tally> tally() {
        return Optional.ofNullable(process.votes().get(standing.state()))
                .map(rule -> Tally.of(rule, standing.voting(), members(rule.who())));
    }

    /** What an attribute is, or is where nothing else is said. */
    Optional<String> attribute(String name) {
        return Optional.ofNullable(standing.attributes().get(name))
                .or(() -> Optional.ofNullable(process.attributes().get(name)).flatMap(a -> a.otherwise()));
    }

    static Optional<Instant> parseDate(String text) {
        try {
            return Optional.of(
                    LocalDate.parse(text.strip()).atStartOfDay(ZoneOffset.UTC).toInstant());
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    static Instant later(Instant one, Optional<Instant> other) {
        return other.filter(instant -> instant.isAfter(one)).orElse(one);
    }
}
