package dev.gavel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.docket.Standing;
import dev.gavel.gateway.proposal.Circle;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WatchTest {
    private static final Instant NOON = Instant.parse("2026-01-05T12:00:00Z");

    private final Watch watch = new Watch();

    private static Standing open(String id, Instant due, boolean unreachable) {
        Circle circle = new Circle(Set.of("alice", "bob"), Set.of());
        return new Standing(id, "agent", true, circle, unreachable, List.of(), Optional.of(due), 10);
    }

    private static Standing ended(String id) {
        return new Standing(id, "agent", false, new Circle(Set.of(), Set.of()), false, List.of(), Optional.empty(), 10);
    }

    @Test
    void whatIsDueFirstIsTakenFirst() {
        watch.note(List.of(open("late", NOON.plusSeconds(2), false), open("soon", NOON.plusSeconds(1), false)));
        assertThat(watch.nextDue()).contains(NOON.plusSeconds(1));
        assertThat(watch.takeDue(NOON)).isEmpty();
        assertThat(watch.takeDue(NOON.plusSeconds(5))).extracting(Standing::id).containsExactly("soon", "late");
        assertThat(watch.nextDue()).isEmpty();
    }

    @Test
    void whatHasEndedIsDueNoMore() {
        watch.note(List.of(open("p", NOON, false)));
        watch.note(List.of(ended("p")));
        assertThat(watch.nextDue()).isEmpty();
        assertThat(watch.openOf("agent")).isZero();
        assertThat(watch.all()).isEmpty();
    }

    @Test
    void onlyWhatDidNotChangeIsPutBack() {
        watch.note(List.of(open("same", NOON, false), open("gone", NOON, false)));
        List<Standing> taken = watch.takeDue(NOON);
        watch.note(List.of(ended("gone")));
        assertThat(watch.putBack(taken)).isTrue();
        assertThat(watch.takeDue(NOON)).extracting(Standing::id).containsExactly("same");
        watch.note(List.of(ended("same")));
        assertThat(watch.putBack(taken)).isFalse();
    }

    @Test
    void oneTurnIsNotTooLarge() {
        for (int i = 0; i < 500; i++) {
            watch.note(List.of(open("p" + i, NOON, false)));
        }
        assertThat(watch.takeDue(NOON)).hasSize(200);
        assertThat(watch.openOf("agent")).isEqualTo(500);
    }

    @Test
    void whoIsHereDecidesWhatNeedsAttention() {
        watch.note(List.of(open("told", NOON, true), open("untold", NOON, false)));
        assertThat(watch.needingAttention(watch.all(), id -> false))
                .extracting(Standing::id)
                .containsExactly("untold");
        assertThat(watch.needingAttention(watch.all(), "bob"::equals))
                .extracting(Standing::id)
                .containsExactly("told");
    }

    @Test
    void aNewcomerIsToldOfTheOldestFirst() {
        watch.note(List.of(open("a", NOON, false), open("b", NOON, false), open("c", NOON, false), ended("d")));
        assertThat(watch.concerning("bob", 2)).isEqualTo(new Watch.Concern(List.of("a", "b"), 3));
        assertThat(watch.concerning("agent", 9).count()).isEqualTo(3);
        assertThat(watch.concerning("carol", 9).count()).isZero();
    }
}
