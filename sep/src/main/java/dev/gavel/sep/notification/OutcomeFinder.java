package dev.gavel.sep.notification;

import dev.gavel.lifecycle.ExternalFacts;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.history.LifecycleHistory;
import dev.gavel.lifecycle.history.LifecycleSnapshot;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.sep.Sep;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the outcomes in the history of a SEP, such as a decision or a new sponsor, and the people whom they concern: the
 * authors, the sponsor, and the voters whose votes were lost. Stateless.
 */
public record OutcomeFinder(ProcessDefinition processDefinition, ExternalFacts externalFacts) {
    /**
     * A change of a SEP that its authors, its sponsor or its voters are told.
     *
     * @param recipients the people whom it concerns, without the person who caused it
     * @param text what happened, with all evidence that was given
     */
    public record Outcome(LifecycleEvent event, List<Person> recipients, boolean votesVoided, String text) {
        public Outcome {
            recipients = List.copyOf(recipients);
        }
    }

    /**
     * Returns the outcomes for a person since an instant, the latest first. An outcome counts until the person acts on
     * the SEP.
     */
    public List<Outcome> findFor(Person person, Sep sep, Instant since) {
        Instant lastActivity = sep.snapshot()
                .lastActivityByPerson()
                .lastActivityOf(person)
                .filter(since::isBefore)
                .orElse(since);
        List<LifecycleEvent> events = sep.history().events();
        List<Outcome> outcomes = new ArrayList<>();
        for (int i = events.size() - 1; i >= 0 && events.get(i).at().isAfter(lastActivity); i--) {
            find(i, sep)
                    .filter(outcome -> outcome.recipients().contains(person))
                    .ifPresent(outcomes::add);
        }
        return outcomes;
    }

    /** Returns the outcome that an event of a SEP is; empty if it is none or concerns no one else. */
    public Optional<Outcome> find(LifecycleEvent event, Sep sep) {
        int index = sep.history().events().lastIndexOf(event);
        return index < 0 ? Optional.empty() : find(index, sep);
    }

    /** Returns the authors of a SEP and everyone who held a role in it before an event. */
    List<Person> holdersBefore(LifecycleEvent event, Sep sep) {
        List<LifecycleEvent> all = sep.history().events();
        Set<Person> holders = new LinkedHashSet<>();
        LifecycleHistory.of(all.subList(0, Math.max(0, all.lastIndexOf(event))))
                .snapshot()
                .ifPresent(snapshot -> addHolders(snapshot, holders));
        return List.copyOf(holders);
    }

    private Optional<Outcome> find(int index, Sep sep) {
        LifecycleEvent event = sep.history().events().get(index);
        if (!isOutcome(event)) {
            return Optional.empty();
        }
        List<LifecycleEvent> command = eventsOfSameCommand(index, sep);
        if (!event.equals(leading(command))) {
            // Another event of the same command, such as a move, stands for it.
            return Optional.empty();
        }
        List<LifecycleEvent> all = sep.history().events();
        Optional<LifecycleSnapshot> before = LifecycleHistory.of(all.subList(0, all.indexOf(command.getFirst())))
                .snapshot();
        Optional<LifecycleSnapshot> after = LifecycleHistory.of(all.subList(0, all.lastIndexOf(command.getLast()) + 1))
                .snapshot();
        Set<Person> lostVotes = event instanceof LifecycleEvent.Edited ? lostVotes(before, after) : Set.of();
        if (event instanceof LifecycleEvent.Edited && lostVotes.isEmpty()) {
            return Optional.empty();
        }
        Set<Person> recipients = new LinkedHashSet<>();
        before.ifPresent(snapshot -> addHolders(snapshot, recipients));
        after.ifPresent(snapshot -> addHolders(snapshot, recipients));
        recipients.addAll(lostVotes);
        recipients.remove(event.by().person());
        return recipients.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Outcome(event, List.copyOf(recipients), !lostVotes.isEmpty(), text(command, lostVotes)));
    }

    private static boolean isOutcome(LifecycleEvent event) {
        return switch (event) {
            case LifecycleEvent.Moved moved -> !moved.by().isSystem();
            case LifecycleEvent.RoleLeft left -> !left.by().isSystem();
            case LifecycleEvent.RoleTaken _,
                    LifecycleEvent.RoleLapsed _,
                    LifecycleEvent.RoleTransferred _,
                    LifecycleEvent.Edited _ -> true;
            default -> false;
        };
    }

    /** The outcomes among the events that were written together, which have the same time and actor. */
    private static List<LifecycleEvent> eventsOfSameCommand(int index, Sep sep) {
        List<LifecycleEvent> events = sep.history().events();
        LifecycleEvent event = events.get(index);
        int from = index;
        while (from > 0 && isSameCommand(events.get(from - 1), event)) {
            from--;
        }
        int to = index + 1;
        while (to < events.size() && isSameCommand(events.get(to), event)) {
            to++;
        }
        return events.subList(from, to).stream()
                .filter(OutcomeFinder::isOutcome)
                .toList();
    }

    private static boolean isSameCommand(LifecycleEvent one, LifecycleEvent other) {
        return one.at().equals(other.at())
                && one.by().person().equals(other.by().person());
    }

    /** The event that stands for its command: a move if there is one. */
    private static LifecycleEvent leading(List<LifecycleEvent> command) {
        return command.stream()
                .filter(LifecycleEvent.Moved.class::isInstance)
                .findFirst()
                .orElseGet(command::getLast);
    }

    private static Set<Person> lostVotes(Optional<LifecycleSnapshot> before, Optional<LifecycleSnapshot> after) {
        Set<Person> lost = new LinkedHashSet<>();
        before.ifPresent(snapshot -> lost.addAll(snapshot.voteRound().ballots().keySet()));
        after.ifPresent(
                snapshot -> lost.removeAll(snapshot.voteRound().ballots().keySet()));
        return lost;
    }

    private void addHolders(LifecycleSnapshot snapshot, Set<Person> recipients) {
        recipients.addAll(snapshot.proposers());
        processDefinition.roles().values().stream()
                .filter(Role.ProposalRole.class::isInstance)
                .forEach(role -> recipients.addAll(snapshot.holders().people(role.name())));
    }

    private String text(List<LifecycleEvent> command, Set<Person> lostVotes) {
        List<String> sentences = new ArrayList<>();
        for (LifecycleEvent event : command) {
            String by = externalFacts.nameOf(event.by().person());
            switch (event) {
                case LifecycleEvent.Moved e -> {
                    sentences.add(by + " moved the " + processDefinition.terms().name() + " from " + e.from() + " to "
                            + e.to() + ".");
                    e.evidence().forEach(piece -> sentences.add(format(piece)));
                }
                case LifecycleEvent.RoleTaken e ->
                    sentences.add(externalFacts.nameOf(e.person()) + " is now " + title(e.role()) + ".");
                case LifecycleEvent.RoleLeft e ->
                    sentences.add(externalFacts.nameOf(e.person()) + " is no longer " + title(e.role()) + ".");
                case LifecycleEvent.RoleLapsed e ->
                    sentences.add(externalFacts.nameOf(e.person()) + " can no longer act as " + title(e.role())
                            + ", because the required role or the last valid token is gone. Others must act now.");
                case LifecycleEvent.RoleTransferred e ->
                    sentences.add(by + " transferred the role of " + title(e.role()) + " to "
                            + externalFacts.nameOf(e.to()) + ".");
                case LifecycleEvent.Edited _ ->
                    sentences.add(by + " edited the document. The votes of "
                            + String.join(
                                    ", ",
                                    lostVotes.stream()
                                            .map(externalFacts::nameOf)
                                            .toList())
                            + " no longer count. Read the changes and vote again.");
                default -> throw new IllegalStateException("not an outcome: " + event);
            }
        }
        return String.join("\n", sentences);
    }

    private String title(String role) {
        return processDefinition.title(role);
    }

    private static String format(Evidence evidence) {
        return evidence.kind() + ": " + evidence.value();
    }
}
