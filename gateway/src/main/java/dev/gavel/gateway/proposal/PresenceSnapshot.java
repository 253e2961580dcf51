package dev.gavel.gateway.proposal;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which members are present in a topic at a moment, and when the absent ones left.
 *
 * @param leftAt when each was seen last, where that is known. A process that has just begun, and so has seen nobody leave,
 *     gives the time it began for everybody: then they have their grace to come back.
 */
public record PresenceSnapshot(Set<String> here, Map<String, Instant> leftAt) {
    public PresenceSnapshot {
        here = Set.copyOf(here);
        leftAt = Map.copyOf(leftAt);
    }

    /** These are here, and of nobody else anything is known. */
    public static PresenceSnapshot of(Collection<String> here) {
        return new PresenceSnapshot(Set.copyOf(here), Map.of());
    }

    boolean here(String id) {
        return here.contains(id);
    }

    boolean anyPresent(Collection<String> ids) {
        return ids.stream().anyMatch(here::contains);
    }

    List<String> presentAmong(Collection<String> ids) {
        return ids.stream().filter(here::contains).toList();
    }

    /** When it counts that none of these is here, given that none is: the last one's grace being over. */
    Instant graceEnd(Collection<String> ids) {
        return ids.stream()
                .map(leftAt::get)
                .filter(at -> at != null)
                .max(Instant::compareTo)
                .map(last -> last.plus(ProposalSettings.GRACE))
                .orElse(Instant.MIN);
    }
}
