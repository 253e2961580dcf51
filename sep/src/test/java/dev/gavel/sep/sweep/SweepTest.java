package dev.gavel.sep.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.Due;
import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.people.Group;
import dev.gavel.lifecycle.people.Party;
import dev.gavel.lifecycle.people.Person;
import dev.gavel.sep.Sep;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SweepTest {
    private static final Instant DAY_14 = Samples.START.plus(Duration.ofDays(14));
    private static final Optional<URI> LINK = Optional.of(URI.create("https://gavel.example/seps/7"));

    private final Sep sep = Samples.proposal(7, "Streams", "ada");

    private Sep with(Event event) {
        return new Sep(7, sep.history().plus(List.of(event)), sep.outline(), sep.document());
    }

    private Optional<Notice> told(Event event) {
        return Notice.of(event, with(event), Samples.PROCESS, Samples.PEOPLE, LINK);
    }

    @Test
    void allThatIsDueIsFoundByNumberInWhateverOrderTheyCome() {
        List<Sep> seps = new ArrayList<>();
        for (int number = 1; number <= 50; number++) {
            seps.add(Samples.proposal(number, "Sep " + number, "ada"));
        }
        List<Errand> sorted = Sweep.due(seps, Samples.PROCESS, each -> Samples.PEOPLE, DAY_14);
        assertThat(sorted).hasSize(50).isSortedAccordingTo((one, other) -> one.number() - other.number());
        assertThat(sorted.getFirst().title()).isEqualTo("Sep 1");
        assertThat(sorted.getFirst().due()).isInstanceOf(Due.Ping.class);
        Collections.shuffle(seps, new Random(7));
        assertThat(Sweep.due(seps, Samples.PROCESS, each -> Samples.PEOPLE, DAY_14))
                .isEqualTo(sorted);
        assertThat(Sweep.due(seps, Samples.PROCESS, each -> Samples.PEOPLE, DAY_14.minusSeconds(1)))
                .isEmpty();
    }

    @Test
    void whatIsFinishedOrInAStateNobodyKnowsIsNotLookedAt() {
        for (String state : List.of("final", "withdrawn", "orchard")) {
            Sep done = with(new Event.Moved(Samples.START, Actor.of("ada"), "proposal", state, List.of()));
            assertThat(Sweep.due(
                            List.of(done),
                            Samples.PROCESS,
                            each -> {
                                throw new AssertionError("asked about " + each);
                            },
                            DAY_14))
                    .isEmpty();
        }
    }

    @Test
    void peopleAreToldOfRemindersEscalationsAndMovesThatHappenByThemselves() {
        List<Party> mo = List.of(new Person("mo"));
        assertThat(told(new Event.Pinged(DAY_14, Actor.system(), "first-response", Duration.ofDays(14), mo, "Do it.")))
                .contains(new Notice(7, "Streams", mo, Notice.Kind.PING, "Do it.", LINK, DAY_14));
        assertThat(told(new Event.Escalated(
                        DAY_14, Actor.system(), "progress", Duration.ofDays(90), "core-maintainer", "See to it.")))
                .contains(new Notice(
                        7,
                        "Streams",
                        List.of(new Group("core-maintainer")),
                        Notice.Kind.ESCALATION,
                        "Nobody acted for 90 days. See to it.",
                        LINK,
                        DAY_14));
        assertThat(told(new Event.Moved(DAY_14, Actor.system(), "proposal", "dormant", List.of())))
                .hasValueSatisfying(notice -> {
                    assertThat(notice.whom()).containsExactly(new Person("ada"));
                    assertThat(notice.text())
                            .isEqualTo("It went from proposal to dormant by itself."
                                    + " Wake it with a note when you want to go on.");
                });
    }

    @Test
    void whoeverIsAskedIsToldTheQuestion() {
        assertThat(told(new Event.Asked(DAY_14, Actor.of("ada"), new Person("mo"), "Would you?")))
                .hasValueSatisfying(notice -> {
                    assertThat(notice.whom()).containsExactly(new Person("mo"));
                    assertThat(notice.kind().word()).isEqualTo("question");
                    assertThat(notice.text()).isEqualTo("ada asks you: Would you? Answer with a comment.");
                });
        assertThat(told(new Event.Asked(DAY_14, Actor.of("ada"), new Person("mo"), "")))
                .hasValueSatisfying(notice -> assertThat(notice.text())
                        .isEqualTo("ada asks you to have a look and to answer with a comment."));
    }

    @Test
    void whatPeopleDoThemselvesIsNoNotice() {
        assertThat(told(new Event.Commented(DAY_14, Actor.of("mo"), "Hm."))).isEmpty();
        assertThat(told(new Event.Moved(DAY_14, Actor.of("ada"), "proposal", "withdrawn", List.of())))
                .isEmpty();
    }
}
