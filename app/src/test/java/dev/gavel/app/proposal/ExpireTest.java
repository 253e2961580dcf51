package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.Draft.fulfilment;
import static dev.gavel.app.proposal.Draft.proposal;
import static dev.gavel.app.proposal.Draft.rejection;
import static dev.gavel.app.proposal.Draft.withdrawal;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Expiring: a ttl counts from receipt, is bounded by the topic, and its end is told to everybody. */
class ExpireTest {
    @TempDir
    private Path data;

    private Room room;

    @BeforeEach
    void open() throws IOException {
        room = new Room(data.resolve("room"), "ttl: {default: 7m, max: 1h}");
    }

    @AfterEach
    void close() throws IOException {
        room.close();
    }

    @Test
    void onExpiryEverybodyInTheTopicIsTold() throws Exception {
        Seat alice = room.join("alice");
        Seat carol = room.join("carol", "&mode=directed");
        Seat files = room.join("files", "&mode=directed");
        Seat helper = room.join("helper", "&mode=directed");
        helper.put(proposal("p-1").to("alice").ttl(1));
        for (Seat seat : List.of(alice, carol, files, helper)) {
            JsonNode notice = seat.hear("system.proposal.expired", "p-1");
            assertThat(notice.path("from").asString()).isEqualTo("system:gateway");
            assertThat(notice.path("correlationId").asString()).isEqualTo("p-1");
            assertThat(Seat.id(notice)).startsWith("event-");
        }
        assertThat(room.state("p-1")).isEqualTo("expired");
        assertThat(Seat.texts(room.proposal("helper", "p-1").path("timeline"), "event"))
                .containsExactly("proposed", "expired");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                       | PT7M
            1          | PT1S
            90         | PT1M30S
            3600       | PT1H
            3601       | PT1H
            1000000000 | PT1H
            1e30       | PT1H
            """)
    void aProposalStandsForItsTtlAtMostTheTopicsMaximum(String ttl, Duration stands) throws Exception {
        Draft draft = proposal("p-1");
        JsonNode echo = room.join("helper").put(ttl == null ? draft : draft.payload("ttl", Draft.JSON.readTree(ttl)));
        Instant received = Instant.parse(echo.path("ts").asString());
        Instant expiry =
                Instant.parse(room.proposal("helper", "p-1").path("expiresAt").asString());
        // Times in envelopes are in milliseconds.
        assertThat(Duration.between(received, expiry.truncatedTo(ChronoUnit.MILLIS)))
                .isEqualTo(stands);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "-0.5", "0.0", "\"60\"", "null", "true", "[60]"})
    void aTtlThatIsNoNumberAboveZeroIsMalformed(String ttl) throws Exception {
        Seat alice = room.join("alice");
        Seat helper = room.join("helper");
        JsonNode error = helper.refused(proposal("p-1").payload("ttl", Draft.JSON.readTree(ttl)));
        assertThat(error.path("error").asString()).isEqualTo("malformed");
        assertThat(Seat.ids(alice.before(helper))).doesNotContain("p-1");
        assertThat(room.get("alice", "/topics/ops/proposals/p-1").status()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2001-01-01T00:00:00Z", "2099-01-01T00:00:00Z"})
    void theTtlCountsFromReceiptWhateverTheSendersClockSays(String ts) throws Exception {
        Seat helper = room.join("helper");
        helper.put(proposal("long").with("ts", ts).ttl(600));
        helper.put(proposal("short").with("ts", ts).ttl(1));
        helper.hear("system.proposal.expired", "short");
        assertThat(room.state("long")).isEqualTo("open");
        assertThat(room.state("short")).isEqualTo("expired");
    }

    @Test
    void whatHasEndedDoesNotExpire() throws Exception {
        room.join("files");
        Seat alice = room.join("alice");
        Seat helper = room.join("helper");
        for (String id : List.of("fulfilled", "rejected", "withdrawn")) {
            helper.put(proposal(id).ttl(3));
        }
        alice.put(fulfilment("f-1", "fulfilled"));
        alice.put(rejection("r-1", "policy", "rejected"));
        helper.put(withdrawal("w-1", "withdrawn"));
        helper.put(proposal("clock").ttl(4));
        assertThat(Seat.kinds(helper.before("system.proposal.expired", "clock")))
                .doesNotContain("system.proposal.expired");
        for (String id : List.of("fulfilled", "rejected", "withdrawn")) {
            assertThat(room.state(id)).isEqualTo(id);
        }
    }

    @Test
    void manyExpireEachOnce() throws Exception {
        Seat carol = room.join("carol");
        Seat helper = room.join("helper");
        for (int i = 0; i < 50; i++) {
            helper.put(proposal("p-" + i).ttl(2));
        }
        helper.put(proposal("clock").ttl(4));
        List<String> expired = carol.before("system.proposal.expired", "clock").stream()
                .filter(each -> Seat.kind(each).equals("system.proposal.expired"))
                .flatMap(each -> Seat.about(each).stream())
                .toList();
        assertThat(expired).hasSize(50).doesNotHaveDuplicates();
    }
}
