package dev.gavel.sep.notification;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.ClockAction;
import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.PersonOrGroup;
import dev.gavel.lifecycle.actor.RoleGroup;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.sep.Sep;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SepClockActionFinderTest {
    private static final Instant DAY_14 = NotificationFixtures.START.plus(Duration.ofDays(14));
    private static final Optional<URI> LINK = Optional.of(URI.create("https://gavel.example/seps/7"));

    private final Sep sep = NotificationFixtures.proposal(7, "Streams", "ada");

    private Sep with(LifecycleEvent event) {
        return new Sep(7, sep.history().append(List.of(event)), sep.metadata(), sep.documentHash());
    }

    private Optional<SepNotification> notification(LifecycleEvent event) {
        return SepNotification.of(event, with(event), NotificationFixtures.PROCESS, NotificationFixtures.PEOPLE, LINK);
    }

    @Test
    void allThatIsDueIsFoundByNumberInWhateverOrderTheyCome() {
        List<Sep> seps = new ArrayList<>();
        for (int number = 1; number <= 50; number++) {
            seps.add(NotificationFixtures.proposal(number, "Sep " + number, "ada"));
        }
        List<SepClockAction> sorted = SepClockActionFinder.findDue(
                seps, NotificationFixtures.PROCESS, each -> NotificationFixtures.PEOPLE, DAY_14);
        assertThat(sorted).hasSize(50).isSortedAccordingTo((one, other) -> one.number() - other.number());
        assertThat(sorted.getFirst().title()).isEqualTo("Sep 1");
        assertThat(sorted.getFirst().clockAction()).isInstanceOf(ClockAction.Reminder.class);
        Collections.shuffle(seps, new Random(7));
        assertThat(SepClockActionFinder.findDue(
                        seps, NotificationFixtures.PROCESS, each -> NotificationFixtures.PEOPLE, DAY_14))
                .isEqualTo(sorted);
        assertThat(SepClockActionFinder.findDue(
                        seps,
                        NotificationFixtures.PROCESS,
                        each -> NotificationFixtures.PEOPLE,
                        DAY_14.minusSeconds(1)))
                .isEmpty();
    }

    @Test
    void oneSweepSpreadsTheRemindersOfManyProposalsOverThePeople() {
        List<Sep> seps = new ArrayList<>();
        for (int number = 1; number <= 40; number++) {
            seps.add(NotificationFixtures.proposal(number, "Sep " + number, "ada"));
        }
        // mo sponsors ten other SEPs already.
        for (int number = 41; number <= 50; number++) {
            Sep proposal = NotificationFixtures.proposal(number, "Sep " + number, "bea");
            seps.add(NotificationFixtures.sep(
                    number,
                    "",
                    proposal.history()
                            .append(List.of(
                                    new LifecycleEvent.RoleTaken(
                                            NotificationFixtures.START, Actor.of("mo"), "sponsor", new Person("mo")),
                                    new LifecycleEvent.Moved(
                                            DAY_14, Actor.of("mo"), "proposal", "draft", List.of())))));
        }
        List<SepClockAction> due = SepClockActionFinder.findDue(
                seps, NotificationFixtures.PROCESS, each -> NotificationFixtures.PEOPLE, DAY_14);
        Map<PersonOrGroup, Long> counts = due.stream()
                .map(action -> (ClockAction.Reminder) action.clockAction())
                .peek(reminder -> assertThat(reminder.recipients()).hasSize(2))
                .flatMap(reminder -> reminder.recipients().stream())
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        assertThat(due).hasSize(40);
        assertThat(counts.get(new Person("mo"))).isBetween(12L, 13L);
        assertThat(List.of("sam", "cora", "carl"))
                .allSatisfy(login ->
                        assertThat(counts.get(new Person(login))).as(login).isBetween(22L, 23L));
    }

    @Test
    void whatIsFinishedOrInAStateNobodyKnowsIsNotLookedAt() {
        for (String state : List.of("final", "withdrawn", "orchard")) {
            Sep done = with(new LifecycleEvent.Moved(
                    NotificationFixtures.START, Actor.of("ada"), "proposal", state, List.of()));
            assertThat(SepClockActionFinder.findDue(
                            List.of(done),
                            NotificationFixtures.PROCESS,
                            each -> {
                                throw new AssertionError("asked about " + each);
                            },
                            DAY_14))
                    .isEmpty();
        }
    }

    @Test
    void peopleAreToldOfRemindersEscalationsAndMovesThatHappenByThemselves() {
        List<PersonOrGroup> mo = List.of(new Person("mo"));
        assertThat(notification(new LifecycleEvent.Pinged(
                        DAY_14, Actor.system(), "first-response", Duration.ofDays(14), mo, "Do it.")))
                .contains(new SepNotification(
                        7, "SEP-7", "Streams", mo, SepNotification.Kind.PING, "Do it.", LINK, DAY_14));
        assertThat(notification(new LifecycleEvent.Escalated(
                        DAY_14, Actor.system(), "progress", Duration.ofDays(90), "core-maintainer", "See to it.")))
                .contains(new SepNotification(
                        7,
                        "SEP-7",
                        "Streams",
                        List.of(new RoleGroup("core-maintainer")),
                        SepNotification.Kind.ESCALATION,
                        "The people who must act have been inactive for 90 days. See to it.",
                        LINK,
                        DAY_14));
        assertThat(notification(new LifecycleEvent.Moved(DAY_14, Actor.system(), "proposal", "dormant", List.of())))
                .hasValueSatisfying(sepNotification -> {
                    assertThat(sepNotification.recipients()).containsExactly(new Person("ada"));
                    assertThat(sepNotification.text())
                            .isEqualTo("The SEP moved automatically from proposal to dormant."
                                    + " Reactivate the SEP with a note when you want to continue.");
                });
    }

    @Test
    void whoeverIsAskedIsToldTheQuestion() {
        assertThat(notification(
                        new LifecycleEvent.QuestionAsked(DAY_14, Actor.of("ada"), new Person("mo"), "Would you?")))
                .hasValueSatisfying(sepNotification -> {
                    assertThat(sepNotification.recipients()).containsExactly(new Person("mo"));
                    assertThat(sepNotification.kind().wireName()).isEqualTo("question");
                    assertThat(sepNotification.text()).isEqualTo("ada asks you: Would you? Answer with a comment.");
                });
        assertThat(notification(new LifecycleEvent.QuestionAsked(DAY_14, Actor.of("ada"), new Person("mo"), "")))
                .hasValueSatisfying(sepNotification -> assertThat(sepNotification.text())
                        .isEqualTo("ada asks you to look at this SEP. Answer with a comment."));
    }

    @Test
    void whatPeopleDoWithTheirOwnSepIsNoNotification() {
        assertThat(notification(new LifecycleEvent.Commented(DAY_14, Actor.of("mo"), "Hm.")))
                .isEmpty();
        assertThat(notification(new LifecycleEvent.Moved(DAY_14, Actor.of("ada"), "proposal", "withdrawn", List.of())))
                .isEmpty();
    }
}
