package dev.gavel.sep.kept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gavel.ledger.Body;
import dev.gavel.ledger.LedgerFailure;
import dev.gavel.lifecycle.history.Ballot;
import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.people.Group;
import dev.gavel.lifecycle.people.Person;
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

class EventCodecTest {
    private static final Instant AT = Instant.parse("2026-03-01T10:00:00.123456Z");
    private static final Actor BOB = Actor.of("bob", "maintainer");
    private static final EventCodec CODEC = new EventCodec(UnaryOperator.identity());

    static Stream<Event> events() {
        return Stream.of(
                new Event.Submitted(
                        AT,
                        BOB,
                        "proposal",
                        "author",
                        List.of(new Person("bob"), new Person("Ada \"quoted\" Lovelace")),
                        Map.of("title", "Line\nbreaks & <marks> \u0000 \ud83d\ude00", "type", "Process")),
                new Event.Edited(AT, BOB, Map.of()),
                new Event.Moved(AT, BOB, "draft", "provisional", List.of(new Evidence("goals", "https://example.org"))),
                new Event.Attached(AT, BOB, List.of(new Evidence("minutes", "said"), new Evidence("minutes", "again"))),
                new Event.RoleTaken(AT, BOB, "sponsor", new Person("bob")),
                new Event.RoleLeft(AT, BOB, "sponsor", new Person("bob")),
                new Event.Transferred(AT, BOB, "author", new Person("bob"), new Person("erin"), true),
                new Event.Commented(AT, BOB, "a\nb"),
                new Event.Asked(AT, BOB, new Person("erin"), ""),
                new Event.Voted(AT, BOB, Ballot.CONCERN, "why?"),
                new Event.Held(AT, BOB, "later"),
                new Event.Released(AT, BOB, ""),
                new Event.Pinged(
                        AT,
                        Actor.system(),
                        "progress",
                        Duration.ofDays(14),
                        List.of(new Person("bob"), new Group("maintainer")),
                        "do it"),
                new Event.Escalated(AT, Actor.system(), "progress", Duration.ofDays(90), "core-maintainer", "look"));
    }

    private static dev.gavel.ledger.Event kept(Event event) {
        return new dev.gavel.ledger.Event(
                Streams.SEPS,
                7,
                AT.plusSeconds(5),
                "12",
                EventCodec.type(event),
                event.by().person().login(),
                null,
                EventCodec.body(event, Optional.empty()));
    }

    @ParameterizedTest
    @MethodSource("events")
    void whatIsKeptIsReadAgainAsItWas(Event event) {
        assertThat(CODEC.read(kept(event))).isEqualTo(event);
    }

    @Test
    void everySortOfEventIsTried() {
        assertThat(events().map(Event::getClass).distinct()).hasSize(Event.class.getPermittedSubclasses().length);
    }

    @Test
    void peopleAreCalledAsTheyAreKnownByNow() {
        EventCodec renaming = new EventCodec(person -> person.login().equals("bob") ? new Person("robert") : person);
        Event read = renaming.read(kept(new Event.Asked(AT, BOB, new Person("bob"), "?")));
        assertThat(read).isEqualTo(new Event.Asked(AT, Actor.of("robert", "maintainer"), new Person("robert"), "?"));
    }

    @Test
    void whatNobodyHereKnowsIsNamedWithItsPlace() {
        dev.gavel.ledger.Event unknown =
                new dev.gavel.ledger.Event(Streams.SEPS, 9, AT, "12", "sung", "bob", null, Body.of("{}"));
        assertThatThrownBy(() -> CODEC.read(unknown))
                .isInstanceOf(LedgerFailure.class)
                .hasMessageContaining("event 9")
                .hasMessageContaining("SEP 12")
                .hasMessageContaining("newer version");
    }
}
