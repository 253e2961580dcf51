package dev.gavel.sep.notification;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.history.BallotChoice;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.history.LifecycleHistory;
import dev.gavel.sep.Sep;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OutcomeFinderTest {
    private static final Actor MO = Actor.of("mo", "maintainer");
    private static final Actor CORA = Actor.of("cora", "core-maintainer");
    private static final Actor CARL = Actor.of("carl", "core-maintainer");
    private static final Person ADA = new Person("ada");
    private static final OutcomeFinder FINDER =
            new OutcomeFinder(NotificationFixtures.PROCESS.processDefinition(), NotificationFixtures.PEOPLE);

    private final List<LifecycleEvent> events = new ArrayList<>(
            NotificationFixtures.proposal(7, "Streams", "ada").history().events());

    private static Instant day(int day) {
        return NotificationFixtures.START.plus(Duration.ofDays(day));
    }

    /** Appends events, and returns the notification about each of them that has one. */
    private List<SepNotification> after(LifecycleEvent... more) {
        events.addAll(List.of(more));
        Sep sep = sep();
        return List.of(more).stream()
                .flatMap(
                        event -> SepNotification.of(
                                event, sep, NotificationFixtures.PROCESS, NotificationFixtures.PEOPLE, Optional.empty())
                                .stream())
                .toList();
    }

    private Sep sep() {
        return NotificationFixtures.sep(7, "Streams", LifecycleHistory.of(events));
    }

    private void sponsored() {
        after(
                new LifecycleEvent.Moved(day(1), MO, "proposal", "draft", List.of()),
                new LifecycleEvent.RoleTaken(day(1), MO, "sponsor", MO.person()));
    }

    @Test
    void aNewSponsorIsOneOutcomeForTheAuthor() {
        List<SepNotification> sponsored = after(
                new LifecycleEvent.Moved(day(1), MO, "proposal", "draft", List.of()),
                new LifecycleEvent.RoleTaken(day(1), MO, "sponsor", MO.person()));
        assertThat(sponsored).singleElement().satisfies(notification -> {
            assertThat(notification.kind()).isEqualTo(SepNotification.Kind.OUTCOME);
            assertThat(notification.recipients()).containsExactly(ADA);
            assertThat(notification.text())
                    .isEqualTo("mo moved the SEP from proposal to draft.\nmo is now the sponsor.");
        });
    }

    @Test
    void aRejectionReachesAuthorAndSponsorWithTheWholeRationale() {
        sponsored();
        String rationale = "The transport must stay simple. ".repeat(200);
        assertThat(after(new LifecycleEvent.Moved(
                        day(9), CORA, "in-review", "rejected", List.of(new Evidence("rationale", rationale)))))
                .singleElement()
                .satisfies(notification -> {
                    assertThat(notification.recipients()).containsExactly(ADA, MO.person());
                    assertThat(notification.text())
                            .isEqualTo("cora moved the SEP from in-review to rejected.\nrationale: " + rationale);
                });
    }

    @Test
    void aDeferralNamesReasonDateAndTrigger() {
        sponsored();
        assertThat(after(new LifecycleEvent.Moved(
                                day(9),
                                CORA,
                                "in-review",
                                "deferred",
                                List.of(
                                        new Evidence("reason", "Too early."),
                                        new Evidence("revisit", "2026-08-01"),
                                        new Evidence("trigger", "streams land"))))
                        .getFirst()
                        .text())
                .contains("reason: Too early.", "revisit: 2026-08-01", "trigger: streams land");
    }

    @Test
    void aSponsorWhoLeavesOrLosesTheRoleIsAnOutcome() {
        sponsored();
        assertThat(after(new LifecycleEvent.RoleLapsed(day(3), Actor.system(), "sponsor", MO.person())))
                .singleElement()
                .satisfies(notification -> {
                    assertThat(notification.recipients()).containsExactly(ADA, MO.person());
                    assertThat(notification.text()).startsWith("mo can no longer act as the sponsor, because");
                });
        assertThat(after(new LifecycleEvent.RoleLeft(day(4), MO, "sponsor", MO.person())))
                .singleElement()
                .satisfies(notification -> {
                    assertThat(notification.recipients()).containsExactly(ADA);
                    assertThat(notification.text()).isEqualTo("mo is no longer the sponsor.");
                });
    }

    @Test
    void votersAreToldThatAnEditVoidedTheirVotes() {
        sponsored();
        after(
                new LifecycleEvent.Moved(day(5), MO, "draft", "in-review", List.of()),
                new LifecycleEvent.Voted(day(6), CORA, BallotChoice.YES, ""),
                new LifecycleEvent.Voted(day(6), CARL, BallotChoice.YES, ""));
        assertThat(after(new LifecycleEvent.Edited(day(7), Actor.of("ada"), Map.of(), true)))
                .as("an editorial edit voids nothing")
                .isEmpty();
        assertThat(after(new LifecycleEvent.Edited(day(8), Actor.of("ada"), Map.of(), false)))
                .singleElement()
                .satisfies(notification -> {
                    assertThat(notification.kind().wireName()).isEqualTo("votes-voided");
                    assertThat(notification.recipients()).containsExactly(MO.person(), CORA.person(), CARL.person());
                    assertThat(notification.text())
                            .isEqualTo("ada edited the document. The votes of cora, carl no longer count."
                                    + " Read the changes and vote again.");
                });
        assertThat(after(new LifecycleEvent.Edited(day(9), Actor.of("ada"), Map.of(), false)))
                .as("there are no votes left")
                .isEmpty();
    }

    @Test
    void anOutcomeIsListedUntilThePersonActsOrItIsOld() {
        sponsored();
        after(new LifecycleEvent.Moved(
                day(9), CORA, "in-review", "rejected", List.of(new Evidence("rationale", "No."))));
        assertThat(FINDER.findFor(ADA, sep(), day(0)))
                .extracting(outcome -> outcome.event().at())
                .containsExactly(day(9), day(1));
        assertThat(FINDER.findFor(MO.person(), sep(), day(0)))
                .extracting(outcome -> outcome.event().at())
                .containsExactly(day(9));
        assertThat(FINDER.findFor(CORA.person(), sep(), day(0))).isEmpty();
        assertThat(FINDER.findFor(ADA, sep(), day(5)))
                .extracting(outcome -> outcome.event().at())
                .containsExactly(day(9));
        after(new LifecycleEvent.Commented(day(10), Actor.of("ada"), "I see."));
        assertThat(FINDER.findFor(ADA, sep(), day(0))).isEmpty();
    }
}
