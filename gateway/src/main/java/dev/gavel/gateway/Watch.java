package dev.gavel.gateway;

import dev.gavel.gateway.docket.Standing;
import dev.gavel.gateway.measure.TopicMeasures.Proposals;
import dev.gavel.gateway.proposal.Circle;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The proposals of a topic of which something can still come by itself: what is due when, and what depends on whom.
 * Everything here can be read from the ledger again. Confined to the topic's loop.
 */
final class Watch {
    private static final int MOST_CIRCLES = 256;

    /** In the order they were made. */
    private final Map<String, Standing> standings = new LinkedHashMap<>();

    private final Map<String, Integer> openOf = new HashMap<>();
    private final NavigableSet<Due> due = new TreeSet<>();

    /** Circles in use lately: most proposals depend on the same people, and there may be many of both. */
    private final Map<Circle, Circle> circles = new LinkedHashMap<>();

    private int open;
    private int unreachable;

    private record Due(Instant at, String id) implements Comparable<Due> {
        private static final Comparator<Due> ORDER =
                Comparator.comparing(Due::at).thenComparing(Due::id);

        static Optional<Due> of(Standing standing) {
            return standing.dueAt().map(at -> new Due(at, standing.id()));
        }

        @Override
        public int compareTo(Due other) {
            return ORDER.compare(this, other);
        }
    }

    /** Forgets all of them. */
    void clear() {
        standings.clear();
        openOf.clear();
        due.clear();
        open = 0;
        unreachable = 0;
    }

    /** Takes note of how proposals stand now. */
    void note(Collection<Standing> changed) {
        changed.forEach(this::note);
    }

    private void note(Standing standing) {
        Standing before = standing.settled()
                ? standings.remove(standing.id())
                : standings.put(standing.id(), standing.sharing(shared(standing.circle())));
        boolean wasOpen = before != null && before.open();
        open += (standing.open() ? 1 : 0) - (wasOpen ? 1 : 0);
        unreachable += (isUnreachable(standing) ? 1 : 0) - (isUnreachable(before) ? 1 : 0);
        if (wasOpen != standing.open()) {
            openOf.merge(standing.proposer(), standing.open() ? 1 : -1, (a, b) -> a + b == 0 ? null : a + b);
        }
        if (before != null) {
            Due.of(before).ifPresent(due::remove);
        }
        Due.of(standing).ifPresent(due::add);
    }

    private static boolean isUnreachable(@Nullable Standing standing) {
        return standing != null && standing.open() && standing.unreachable();
    }

    /** How many proposals something can still come of. */
    Proposals counts() {
        return new Proposals(open, unreachable, standings.size() - open);
    }

    private Circle shared(Circle circle) {
        Circle known = circles.putIfAbsent(circle, circle);
        if (circles.size() > MOST_CIRCLES) {
            circles.remove(circles.keySet().iterator().next());
        }
        return known == null ? circle : known;
    }

    /** How many proposals are open. */
    int open() {
        return openOf.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** How many open proposals a member has. */
    int openOf(String member) {
        return openOf.getOrDefault(member, 0);
    }

    /**
     * The open proposals that a member made or could decide.
     *
     * @param ids the oldest of them, at most so many as were asked for
     * @param count how many there are in all
     */
    record Concern(List<String> ids, int count) {}

    Concern concerning(String member, int most) {
        List<String> ids = new ArrayList<>();
        int count = 0;
        for (Standing standing : standings.values()) {
            if (standing.concerns(member) && count++ < most) {
                ids.add(standing.id());
            }
        }
        return new Concern(ids, count);
    }

    /** The open proposals that a member could decide, the oldest first, at most so many. */
    List<String> decidedBy(String member, int most) {
        return standings.values().stream()
                .filter(standing ->
                        standing.concerns(member) && !standing.proposer().equals(member))
                .map(Standing::id)
                .limit(most)
                .toList();
    }

    /** When time next brings something. */
    Optional<Instant> nextDue() {
        return due.isEmpty() ? Optional.empty() : Optional.of(due.first().at());
    }

    /** Takes out what is due by now, as much as can be seen to in one turn; whoever takes it sees to it. */
    List<Standing> takeDue(Instant now) {
        Turn taken = new Turn();
        while (!taken.isFull() && nextDue().filter(at -> !at.isAfter(now)).isPresent()) {
            Standing standing = standings.get(due.removeFirst().id());
            if (standing != null) {
                taken.add(standing);
            }
        }
        return taken.proposals();
    }

    /** Puts back what is as it was when it was taken; says whether there was any. */
    boolean putBack(Collection<Standing> taken) {
        boolean any = false;
        for (Standing standing : taken) {
            if (standing.equals(standings.get(standing.id()))) {
                any |= Due.of(standing).filter(due::add).isPresent();
            }
        }
        return any;
    }

    /** All of them, the oldest first. */
    Collection<Standing> all() {
        return standings.values();
    }

    /** Those of some whose proposers were last told something else than what is so now, with those who are here. */
    List<Standing> needingAttention(Collection<Standing> among, Predicate<String> here) {
        IdentityHashMap<Circle, Boolean> reachable = new IdentityHashMap<>();
        return among.stream()
                .filter(standing -> standing.needsAttention(
                        circle -> reachable.computeIfAbsent(circle, it -> reachable(it, here)), here))
                .toList();
    }

    private static boolean reachable(Circle circle, Predicate<String> here) {
        return circle.couldFulfil().stream().anyMatch(here)
                && (circle.targets().isEmpty() || circle.targets().stream().anyMatch(here));
    }
}
