package dev.gavel.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeDraft;
import dev.gavel.mcpx.EnvelopeLimits;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.mcpx.EnvelopeSyntax;
import dev.gavel.mcpx.Kind;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReplayPositionTest {
    private static final EnvelopeReader READER = new EnvelopeReader(EnvelopeLimits.DEFAULT);

    private final ReplayPosition replayPosition = new ReplayPosition();

    private static Envelope envelope(String id, String kind, String... about) {
        return (Envelope) READER.read(EnvelopeDraft.of(id, Kind.of(kind))
                .withCorrelationIds(List.of(about))
                .encode(EnvelopeSyntax.CURRENT, json -> {
                    json.writeStartObject();
                    if (kind.startsWith("mcp.")) {
                        json.writeStringProperty("method", "tools/call");
                    }
                    if (kind.startsWith("chat")) {
                        json.writeStringProperty("text", "hello");
                    }
                    json.writeEndObject();
                }));
    }

    private static Envelope proposal(String id) {
        return envelope(id, "mcp.proposal.tools/call");
    }

    private static Envelope notice(long seq) {
        return envelope("system:event-" + seq, "system.proposal.expired", "p");
    }

    @Test
    void whatIsHeardAgainIsKnown() {
        replayPosition.resetTo(10);
        assertThat(replayPosition.recordIfNew(proposal("a"))).isTrue();
        assertThat(replayPosition.recordIfNew(proposal("a"))).isFalse();
        assertThat(replayPosition.seq()).isEqualTo(10);
    }

    @Test
    void theGatewaysNoticesMoveIt() {
        replayPosition.resetTo(10);
        replayPosition.recordIfNew(proposal("a"));
        assertThat(replayPosition.recordIfNew(notice(14))).isTrue();
        assertThat(replayPosition.seq()).isEqualTo(14);
        assertThat(replayPosition.recordIfNew(notice(14))).isFalse();
        assertThat(replayPosition.recordIfNew(notice(12))).isFalse();
        // The same envelope may arrive before and after a notice.
        assertThat(replayPosition.recordIfNew(proposal("a"))).isFalse();
    }

    @Test
    void onlyWhatIsReplayedIsCompared() {
        replayPosition.resetTo(0);
        assertThat(replayPosition.recordIfNew(envelope("c", "chat.message"))).isTrue();
        assertThat(replayPosition.recordIfNew(envelope("c", "chat.message"))).isTrue();
        // A participant that numbers its answers to plain requests from 1 each time.
        assertThat(replayPosition.recordIfNew(envelope("1", "mcp.response.tools/call", "q1")))
                .isTrue();
        assertThat(replayPosition.recordIfNew(envelope("1", "mcp.response.tools/call", "q2")))
                .isTrue();
        assertThat(replayPosition.recordIfNew(envelope("1", "mcp.response.tools/call", "q2")))
                .isFalse();
    }

    @Test
    void whoHasHeardAnEnvelopeHasHeardAllBeforeIt() {
        replayPosition.resetTo(0);
        for (int i = 1; i <= ReplayPosition.LOOKUP_INTERVAL; i++) {
            assertThat(replayPosition.needsSeqLookup()).isFalse();
            replayPosition.recordIfNew(proposal("p" + i));
        }
        assertThat(replayPosition.needsSeqLookup()).isTrue();
        replayPosition.advance(Map.of(proposal("p100"), 100L, proposal("p200"), 200L, proposal("not yet"), 5000L));
        assertThat(replayPosition.seq()).isEqualTo(200);
        assertThat(replayPosition.needsSeqLookup()).isFalse();
    }

    @Test
    void anotherLedgerIsBegunAfresh() {
        replayPosition.resetTo(500);
        replayPosition.resetTo(3);
        assertThat(replayPosition.seq()).isEqualTo(3);
        assertThat(replayPosition.recordIfNew(notice(4))).isTrue();
    }

    @Test
    void aLedgerThatIsShorterThanWhatWasHeardIsAnother() {
        replayPosition.resetTo(3);
        replayPosition.recordIfNew(proposal("a"));
        replayPosition.recordIfNew(envelope("1", "mcp.response.tools/call", "plain"));
        assertThat(replayPosition.isAheadOf(4)).isFalse();
        assertThat(replayPosition.isAheadOf(3)).isTrue();
        replayPosition.recordIfNew(notice(9));
        assertThat(replayPosition.isAheadOf(9)).isFalse();
        assertThat(replayPosition.isAheadOf(8)).isTrue();
    }

    /** The ledger is replayed over connections that break at any point; each resumes from the replay position. */
    @Test
    void overManyConnectionsEverythingIsHandedOnOnceAndInOrder() {
        Random chance = new Random(7);
        int length = 20_000;
        replayPosition.resetTo(0);
        int expected = 1;
        while (expected <= length) {
            int until = chance.nextInt(3000);
            for (long seq = replayPosition.seq() + 1; seq <= length && until-- > 0; seq++) {
                Envelope next = seq % 997 == 0 ? notice(seq) : proposal("p" + seq);
                if (replayPosition.recordIfNew(next)) {
                    assertThat(seq).isEqualTo(expected++);
                }
            }
        }
    }

    @Test
    void whatItKnowsIsBounded() {
        replayPosition.resetTo(0);
        for (int i = 0; i <= ReplayPosition.MAX_KNOWN_IDS; i++) {
            replayPosition.recordIfNew(proposal("p" + i));
        }
        assertThat(replayPosition.recordIfNew(proposal("p1"))).isFalse();
        assertThat(replayPosition.recordIfNew(proposal("p0"))).isTrue();
    }
}
