package dev.gavel.sep.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gavel.ledger.LedgerBody;
import dev.gavel.ledger.LedgerException;
import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.RoleGroup;
import dev.gavel.lifecycle.history.BallotChoice;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.LifecycleEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SepEventCodecTest {
    private static final Instant AT = Instant.parse("2026-03-01T10:00:00.123456Z");
    private static final Actor BOB = Actor.of("bob", "maintainer");
    private static final SepEventCodec CODEC = new SepEventCodec(UnaryOperator.identity());

    static Stream<LifecycleEvent> events() {
        return Stream.of(
                new LifecycleEvent.Submitted(
                        AT,
                        BOB,
                        "proposal",
                        "author",
                        List.of(new Person("bob"), new Person("Ada \"quoted\" Lovelace")),
                        Map.of("title", "Line\nbreaks & <marks> \u0000 \ud83d\ude00", "type", "Process")),
                new LifecycleEvent.Submitted(
                        AT,
                        BOB,
                        "final",
                        "author",
                        List.of(new Person("ada")),
                        Map.of(),
                        Instant.parse("2001-02-03T00:00:00Z")),
                new LifecycleEvent.Edited(AT, BOB, Map.of(), false),
                new LifecycleEvent.Edited(AT, BOB, Map.of("title", "T"), true),
                new LifecycleEvent.Moved(
                        AT, BOB, "draft", "provisional", List.of(new Evidence("goals", "https://example.org"))),
                new LifecycleEvent.EvidenceAttached(
                        AT, BOB, List.of(new Evidence("minutes", "said"), new Evidence("minutes", "again"))),
                new LifecycleEvent.EvidenceConfirmed(AT, BOB, "decision", new Person("erin"), "accepted: yes"),
                new LifecycleEvent.Voted(AT, BOB, BallotChoice.RECUSE, ""),
                new LifecycleEvent.RoleTaken(AT, BOB, "sponsor", new Person("bob")),
                new LifecycleEvent.RoleLeft(AT, BOB, "sponsor", new Person("bob")),
                new LifecycleEvent.RoleLapsed(AT, BOB, "sponsor", new Person("bob")),
                new LifecycleEvent.RoleTransferred(AT, BOB, "author", new Person("bob"), new Person("erin"), true),
                new LifecycleEvent.Commented(AT, BOB, "a\nb"),
                new LifecycleEvent.QuestionAsked(AT, BOB, new Person("erin"), ""),
                new LifecycleEvent.Voted(AT, BOB, BallotChoice.CONCERN, "why?"),
                new LifecycleEvent.DecisionHeld(AT, BOB, "later"),
                new LifecycleEvent.DecisionReleased(AT, BOB, ""),
                new LifecycleEvent.Pinged(
                        AT,
                        Actor.system(),
                        "progress",
                        Duration.ofDays(14),
                        List.of(new Person("bob"), new RoleGroup("maintainer")),
                        "do it"),
                new LifecycleEvent.Escalated(
                        AT, Actor.system(), "progress", Duration.ofDays(90), "core-maintainer", "look"));
    }

    private static dev.gavel.ledger.LedgerEvent toLedgerEvent(LifecycleEvent event) {
        return new dev.gavel.ledger.LedgerEvent(
                SepStreamNames.SEPS,
                7,
                AT.plusSeconds(5),
                "12",
                SepEventCodec.typeName(event),
                event.by().person().login(),
                null,
                SepEventCodec.encodeBody(event, Optional.empty(), ""));
    }

    @ParameterizedTest
    @MethodSource("events")
    void whatIsKeptIsReadAgainAsItWas(LifecycleEvent event) {
        assertThat(CODEC.decode(toLedgerEvent(event))).isEqualTo(event);
    }

    @Test
    void anEditOfAnOldLedgerIsSubstantive() {
        dev.gavel.ledger.LedgerEvent old = new dev.gavel.ledger.LedgerEvent(
                SepStreamNames.SEPS, 9, AT, "12", "edited", "bob", null, LedgerBody.of("{\"attributes\":{}}"));
        assertThat(CODEC.decode(old))
                .isInstanceOfSatisfying(
                        LifecycleEvent.Edited.class,
                        edited -> assertThat(edited.editorial()).isFalse());
    }

    @Test
    void everySortOfEventIsTried() {
        assertThat(events().map(LifecycleEvent::getClass).distinct())
                .hasSize(LifecycleEvent.class.getPermittedSubclasses().length);
    }

    @Test
    void peopleAreCalledAsTheyAreKnownByNow() {
        SepEventCodec renaming =
                new SepEventCodec(person -> person.login().equals("bob") ? new Person("robert") : person);
        LifecycleEvent read =
                renaming.decode(toLedgerEvent(new LifecycleEvent.QuestionAsked(AT, BOB, new Person("bob"), "?")));
        assertThat(read)
                .isEqualTo(new LifecycleEvent.QuestionAsked(
                        AT, Actor.of("robert", "maintainer"), new Person("robert"), "?"));
    }

    @Test
    void whatNobodyHereKnowsIsNamedWithItsPlace() {
        dev.gavel.ledger.LedgerEvent unknown = new dev.gavel.ledger.LedgerEvent(
                SepStreamNames.SEPS, 9, AT, "12", "sung", "bob", null, LedgerBody.of("{}"));
        assertThatThrownBy(() -> CODEC.decode(unknown))
                .isInstanceOf(LedgerException.class)
                .hasMessageContaining("event 9")
                .hasMessageContaining("proposal 12")
                .hasMessageContaining("newer version");
    }
}
