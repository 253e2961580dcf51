package dev.gavel.lifecycle.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LifecycleHistoryTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Actor ADA = Actor.of("ada");
    private static final LifecycleEvent.Submitted BEGUN =
            new LifecycleEvent.Submitted(NOON, ADA, "idea", "gardener", List.of(ADA.person()), Map.of());
    private static final LifecycleEvent.Commented COMMENT = new LifecycleEvent.Commented(NOON, ADA, "Hm.");

    @Test
    void aHistoryBeginsWithASubmissionAndHasOnlyOne() {
        assertThat(LifecycleHistory.empty().snapshot()).isEmpty();
        assertThatThrownBy(() -> LifecycleHistory.of(List.of(COMMENT)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a history begins with a submission");
        assertThatThrownBy(() -> LifecycleHistory.of(List.of(BEGUN, BEGUN))).hasMessage("a proposal begins once");
    }

    @Test
    void eventsAddedOneByOneOrAtOnceMakeTheSameHistory() {
        LifecycleHistory atOnce = LifecycleHistory.of(List.of(BEGUN, COMMENT));
        LifecycleHistory oneByOne = LifecycleHistory.of(List.of(BEGUN)).append(List.of(COMMENT));
        assertThat(oneByOne).isEqualTo(atOnce).hasSameHashCodeAs(atOnce);
        assertThat(oneByOne.snapshot()).isEqualTo(atOnce.snapshot());
        assertThat(oneByOne).isNotEqualTo(LifecycleHistory.of(List.of(BEGUN)));
    }

    @Test
    void aHistoryDoesNotChangeWhenItIsAddedTo() {
        LifecycleHistory begun = LifecycleHistory.of(List.of(BEGUN));
        assertThat(begun.append(List.of(COMMENT)).events()).hasSize(2);
        assertThat(begun.events()).hasSize(1);
    }

    @Test
    void whatSaysNothingCannotBeMade() {
        assertThatThrownBy(() -> new Evidence("plan", " ")).hasMessage("evidence needs a kind and a value");
        assertThatThrownBy(() -> new Person("")).hasMessage("a person needs a login");
        assertThatThrownBy(() -> new LifecycleEvent.Submitted(NOON, ADA, "idea", "gardener", List.of(), Map.of()))
                .hasMessage("a proposal needs a proposer");
    }

    @Test
    void aPersonIsTheSameInAnyCaseAndKeepsTheFirstSpelling() {
        assertThat(new Person("Ada")).isEqualTo(new Person("ADA")).hasSameHashCodeAs(new Person("ada"));
        assertThat(new Person("Ada")).hasToString("Ada").isNotEqualTo(new Person("adam"));
    }
}
