package dev.gavel.lifecycle.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.people.Person;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HistoryTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Actor ADA = Actor.of("ada");
    private static final Event.Submitted BEGUN =
            new Event.Submitted(NOON, ADA, "idea", "gardener", List.of(ADA.person()), Map.of());
    private static final Event.Commented COMMENT = new Event.Commented(NOON, ADA, "Hm.");

    @Test
    void aHistoryBeginsWithASubmissionAndHasOnlyOne() {
        assertThat(History.empty().standing()).isEmpty();
        assertThatThrownBy(() -> History.of(List.of(COMMENT)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a history begins with a submission");
        assertThatThrownBy(() -> History.of(List.of(BEGUN, BEGUN))).hasMessage("a proposal begins once");
    }

    @Test
    void eventsAddedOneByOneOrAtOnceMakeTheSameHistory() {
        History atOnce = History.of(List.of(BEGUN, COMMENT));
        History oneByOne = History.of(List.of(BEGUN)).plus(List.of(COMMENT));
        assertThat(oneByOne).isEqualTo(atOnce).hasSameHashCodeAs(atOnce);
        assertThat(oneByOne.standing()).isEqualTo(atOnce.standing());
        assertThat(oneByOne).isNotEqualTo(History.of(List.of(BEGUN)));
    }

    @Test
    void aHistoryDoesNotChangeWhenItIsAddedTo() {
        History begun = History.of(List.of(BEGUN));
        assertThat(begun.plus(List.of(COMMENT)).events()).hasSize(2);
        assertThat(begun.events()).hasSize(1);
    }

    @Test
    void whatSaysNothingCannotBeMade() {
        assertThatThrownBy(() -> new Evidence("plan", " ")).hasMessage("evidence needs a kind and a value");
        assertThatThrownBy(() -> new Person("")).hasMessage("a person needs a login");
        assertThatThrownBy(() -> new Event.Submitted(NOON, ADA, "idea", "gardener", List.of(), Map.of()))
                .hasMessage("a proposal needs a proposer");
    }

    @Test
    void aPersonIsTheSameInAnyCaseAndKeepsTheFirstSpelling() {
        assertThat(new Person("Ada")).isEqualTo(new Person("ADA")).hasSameHashCodeAs(new Person("ada"));
        assertThat(new Person("Ada")).hasToString("Ada").isNotEqualTo(new Person("adam"));
    }
}
