package dev.gavel.gateway.proposal;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which members are present in a topic at a moment, and when the absent ones left.
 *
 * @param leftAt when each member was last present, if known. A process that has just started has seen no member leave,
 *     so it uses its start time for all members: they then have the grace period to reconnect.
 */
public record PresenceSnapshot(Set<String> presentMembers, Map<String, Instant> leftAt) {
    public PresenceSnapshot {
        presentMembers = Set.copyOf(presentMembers);
        leftAt = Map.copyOf(leftAt);
    }

    /** Returns a snapshot in which these members are present and nothing is known of the others. */
    public static PresenceSnapshot of(Collection<String> presentMembers) {
        return new PresenceSnapshot(Set.copyOf(presentMembers), Map.of());
    }

    boolean isPresent(String id) {
        return presentMembers.contains(id);
    }

    /** Whether one of these members is present. */
    public boolean anyPresent(Collection<String> ids) {
        return ids.stream().anyMatch(presentMembers::contains);
    }

    List<String> presentAmong(Collection<String> ids) {
        return ids.stream().filter(presentMembers::contains).toList();
    }

    /**
     * The time from which the absence of all these members counts: when the grace period of the last one to leave ends.
     * Assumes that none of them is present.
     */
    Instant graceEnd(Collection<String> ids) {
        return ids.stream()
                .map(leftAt::get)
                .filter(at -> at != null)
                .max(Instant::compareTo)
                .map(last -> last.plus(ProposalSettings.ABSENCE_GRACE))
                .orElse(Instant.MIN);
    }
}
