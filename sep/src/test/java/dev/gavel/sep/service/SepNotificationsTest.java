package dev.gavel.sep.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.RoleGroup;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.notification.SepNotification;
import dev.gavel.sep.notification.SepNotificationReader;
import dev.gavel.sep.store.SepStreamNames;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests digests, outcomes and lost roles with the service on a real ledger. */
class SepNotificationsTest {
    @TempDir
    Path directory;

    private SepServiceFixture sepServiceFixture;

    @BeforeEach
    void open() {
        sepServiceFixture = new SepServiceFixture(directory);
    }

    @AfterEach
    void close() {
        sepServiceFixture.close();
    }

    private List<SepNotification> notifications() {
        return sepServiceFixture
                .service()
                .notificationReaders(Optional.of(URI.create("https://gavel.example")))
                .stream()
                .flatMap(reader -> reader.readAfter(0, 100).stream())
                .map(SepNotificationReader.Entry::notification)
                .flatMap(Optional::stream)
                .toList();
    }

    private List<SepNotification> digests() {
        return notifications().stream()
                .filter(notification -> notification.kind() == SepNotification.Kind.DIGEST)
                .toList();
    }

    private Json inbox(String who) {
        return sepServiceFixture.executeSuccessfully(who, SepOperation.INBOX);
    }

    private List<String> outcomes(String who) {
        return inbox(who).at("outcomes").elements().stream()
                .map(outcome -> outcome.at("text").text())
                .toList();
    }

    private void sweep() {
        sepServiceFixture.executeSuccessfully("dave", SepOperation.SWEEP);
    }

    @Test
    void maintainersGetOneDigestInAWeekThatListsWhatWaitsForThem() {
        int first = sepServiceFixture.submit("alice", "Streams");
        sepServiceFixture.advanceClock(Duration.ofHours(1));
        sepServiceFixture.submit("alice", "Lamps");
        int sponsored = sepServiceFixture.submit("alice", "Ropes");
        sepServiceFixture.executeSuccessfully("bob", SepOperation.SPONSOR, "number", sponsored);
        assertThat(first).isEqualTo(1);
        sweep();
        assertThat(digests()).singleElement().satisfies(digest -> {
            assertThat(digest.recipients()).containsExactly(new RoleGroup("maintainer"));
            assertThat(digest.people())
                    .containsExactlyInAnyOrder(new Person("bob"), new Person("carol"), new Person("dave"));
            assertThat(digest.heading()).isEqualTo("2 SEPs wait for a maintainer");
            assertThat(digest.text())
                    .isEqualTo("SEP-1: Streams (proposal, since 2026-01-05);\n"
                            + "SEP-2: Lamps (proposal, since 2026-01-05).");
            assertThat(digest.link()).contains(URI.create("https://gavel.example/seps"));
        });
        sepServiceFixture.advanceClock(Duration.ofDays(7).minusSeconds(1));
        sweep();
        sepServiceFixture.reopen();
        sepServiceFixture.secondService().sweep().toCompletableFuture().join();
        assertThat(digests()).hasSize(1);
        sepServiceFixture.advanceClock(Duration.ofSeconds(1));
        Json dry = sepServiceFixture.executeSuccessfully("erin", SepOperation.SWEEP, "dryRun", true);
        assertThat(dry.at("digests").elements()).singleElement().satisfies(digest -> {
            assertThat(digest.at("role").text()).isEqualTo("maintainer");
            assertThat(digest.at("seps").asLong(0)).isEqualTo(2);
        });
        assertThat(digests()).hasSize(1);
        var here = sepServiceFixture.service().sweep().toCompletableFuture();
        var there = sepServiceFixture.secondService().sweep().toCompletableFuture();
        here.join();
        there.join();
        assertThat(digests()).hasSize(2);
    }

    @Test
    void nothingThatWaitsIsNoDigest() {
        sepServiceFixture.executeSuccessfully(
                "bob", SepOperation.SPONSOR, "number", sepServiceFixture.submit("alice", "Streams"));
        sweep();
        assertThat(digests()).isEmpty();
        assertThat(sepServiceFixture
                        .ledger()
                        .retainedRange(SepStreamNames.DIGESTS)
                        .last())
                .isZero();
    }

    @Test
    void theInboxShowsAnOutcomeUntilItsRecipientActsOrThirtyDaysHavePassed() {
        int number = sepServiceFixture.submit("alice", "Streams");
        sepServiceFixture.advanceClock(Duration.ofDays(1));
        sepServiceFixture.executeSuccessfully("bob", SepOperation.SPONSOR, "number", number);
        String sponsored = "Bob moved the SEP from proposal to draft.\nBob is now the sponsor.";
        assertThat(outcomes("alice")).containsExactly(sponsored);
        assertThat(outcomes("bob")).isEmpty();
        assertThat(outcomes("erin")).isEmpty();
        sepServiceFixture.reopen();
        assertThat(outcomes("alice")).containsExactly(sponsored);
        sepServiceFixture.advanceClock(Duration.ofDays(1));
        sepServiceFixture.executeSuccessfully("alice", SepOperation.COMMENT, "number", number, "text", "Thanks.");
        assertThat(outcomes("alice")).isEmpty();
        sepServiceFixture.advanceClock(Duration.ofMinutes(1));
        sepServiceFixture.executeSuccessfully("bob", SepOperation.STEP_DOWN, "number", number);
        sepServiceFixture.advanceClock(Duration.ofDays(29));
        assertThat(outcomes("alice")).containsExactly("Bob is no longer the sponsor.");
        sepServiceFixture.advanceClock(Duration.ofDays(1));
        assertThat(outcomes("alice")).isEmpty();
    }

    @Test
    void theInboxShowsTheOutcomeOfASepThatHasEnded() {
        int number = sepServiceFixture.submit("alice", "Streams");
        sepServiceFixture.executeSuccessfully("bob", SepOperation.SPONSOR, "number", number);
        sepServiceFixture.advanceClock(Duration.ofDays(1));
        sepServiceFixture.executeSuccessfully(
                "alice", SepOperation.WITHDRAW, "number", number, "reason", "Solved elsewhere.");
        assertThat(outcomes("bob"))
                .containsExactly("Alice moved the SEP from draft to withdrawn.\nreason: Solved elsewhere.");
        assertThat(inbox("bob").at("seps").elements()).isEmpty();
        sepServiceFixture.reopen();
        assertThat(outcomes("bob")).hasSize(1);
    }

    @Test
    void aSponsorWithoutAValidTokenHandsTheSepToTheMaintainers() {
        int number = sepServiceFixture.submit("alice", "Streams");
        sepServiceFixture.executeSuccessfully("bob", SepOperation.SPONSOR, "number", number);
        assertThat(inbox("bob").at("seps").elements()).hasSize(1);
        assertThat(inbox("carol").at("seps").elements()).isEmpty();
        sepServiceFixture.setPerson(
                new PeopleDirectory.KnownPerson("bob", "Bob", Set.of("maintainer"), List.of(), false));
        assertThat(inbox("carol").at("seps").elements())
                .singleElement()
                .satisfies(sep -> assertThat(sep.at("nextStep").text()).startsWith("The SEP has no sponsor."));
        assertThat(sepServiceFixture
                        .executeSuccessfully("carol", SepOperation.TRIAGE)
                        .at("seps")
                        .elements())
                .hasSize(1);
        sweep();
        assertThat(notifications()).anySatisfy(notification -> {
            assertThat(notification.kind()).isEqualTo(SepNotification.Kind.OUTCOME);
            assertThat(notification.recipients()).containsExactly(new Person("alice"), new Person("bob"));
            assertThat(notification.text()).startsWith("Bob can no longer act as the sponsor");
        });
        sweep();
        assertThat(notifications())
                .filteredOn(notification -> notification.text().startsWith("Bob can no longer"))
                .hasSize(1);
    }
}
