package dev.gavel.lifecycle.history;

import dev.gavel.lifecycle.actor.Person;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The current state of a specification proposal, computed from its events: attributes, role holders, evidence, votes,
 * activity and reminders.
 *
 * @param since when the proposal entered its current state
 * @param submittedAt when the proposal was submitted or imported
 * @param proposerRole the role that the proposers hold
 * @param submitter the person who submitted the proposal as one of its proposers; empty if it was imported
 */
public record LifecycleSnapshot(
        String state,
        Instant since,
        Instant submittedAt,
        String proposerRole,
        Optional<Person> submitter,
        Map<String, String> attributes,
        RoleHolders holders,
        LatestEvidenceByKind evidence,
        VoteRound voteRound,
        LastActivityByPerson lastActivityByPerson,
        ReminderHistory reminderHistory) {
    public LifecycleSnapshot {
        attributes = Map.copyOf(attributes);
    }

    static LifecycleSnapshot of(LifecycleEvent.Submitted first) {
        return new LifecycleSnapshot(
                first.state(),
                first.at(),
                first.at(),
                first.role(),
                Optional.of(first.by().person()).filter(first.people()::contains),
                first.attributes(),
                RoleHolders.NONE.apply(first),
                LatestEvidenceByKind.NONE,
                VoteRound.NONE,
                LastActivityByPerson.NONE.apply(first, first.people()),
                ReminderHistory.NONE);
    }

    /** Returns the snapshot after one more event. */
    public LifecycleSnapshot apply(LifecycleEvent event) {
        if (event instanceof LifecycleEvent.Submitted) {
            throw new IllegalArgumentException("a proposal begins once");
        }
        boolean moved = event instanceof LifecycleEvent.Moved;
        return new LifecycleSnapshot(
                event instanceof LifecycleEvent.Moved move ? move.to() : state,
                moved ? event.at() : since,
                submittedAt,
                proposerRole,
                submitter,
                event instanceof LifecycleEvent.Edited edit ? mergeAttributes(edit.attributes()) : attributes,
                holders.apply(event),
                evidence.apply(event),
                voteRound.apply(event),
                lastActivityByPerson.apply(event, proposers()),
                reminderHistory.apply(event));
    }

    /** Returns the proposers, the main one first. */
    public List<Person> proposers() {
        return holders.people(proposerRole);
    }

    private Map<String, String> mergeAttributes(Map<String, String> changed) {
        Map<String, String> all = new HashMap<>(attributes);
        all.putAll(changed);
        return all;
    }
}
