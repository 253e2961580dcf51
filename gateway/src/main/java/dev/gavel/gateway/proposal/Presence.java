package dev.gavel.gateway.proposal;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Who is connected to a topic now, and when those who are not left it.
 *
 * @param left when each was seen last, where that is known. A process that has just begun, and so has seen nobody leave,
 *     gives the time it began for everybody: then they have their grace to come back.
 */
public record Presence(Set<String> here, Map<String, Instant> left) {
    public Presence {
        here = Set.copyOf(here);
        left = Map.copyOf(left);
    }

    /** These are here, and of nobody else anything is known. */
    public static Presence of(Collection<String> here) {
        return new Presence(Set.copyOf(here), Map.of());
    }

    boolean here(String id) {
        return here.contains(id);
    }

    boolean anyHere(Collection<String> ids) {
        return ids.stream().anyMatch(here::contains);
    }

    List<String> hereOf(Collection<String> ids) {
        return ids.stream().filter(here::contains).toList();
    }

    /** When it counts that none of these is here, given that none is: the last one's grace being over. */
    Instant missing(Collection<String> ids) {
        return ids.stream()
                .map(left::get)
                .filter(at -> at != null)
                .max(Instant::compareTo)
                .map(last -> last.plus(ProposalRules.GRACE))
                .orElse(Instant.MIN);
    }
}
