package dev.gavel.client.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeDraft;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.Limits;
import dev.gavel.mcpx.Spelling;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BookmarkTest {
    private static final EnvelopeReader READER = new EnvelopeReader(Limits.DEFAULT);

    private final Bookmark bookmark = new Bookmark();

    private static Envelope envelope(String id, String kind, String... about) {
        return (Envelope) READER.read(EnvelopeDraft.of(id, Kind.of(kind))
                .about(List.of(about))
                .encode(Spelling.CURRENT, json -> {
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
        bookmark.begin(10);
        assertThat(bookmark.first(proposal("a"))).isTrue();
        assertThat(bookmark.first(proposal("a"))).isFalse();
        assertThat(bookmark.seq()).isEqualTo(10);
    }

    @Test
    void theGatewaysNoticesMoveIt() {
        bookmark.begin(10);
        bookmark.first(proposal("a"));
        assertThat(bookmark.first(notice(14))).isTrue();
        assertThat(bookmark.seq()).isEqualTo(14);
        assertThat(bookmark.first(notice(14))).isFalse();
        assertThat(bookmark.first(notice(12))).isFalse();
        // What one envelope caused may be told on both sides of a notice.
        assertThat(bookmark.first(proposal("a"))).isFalse();
    }

    @Test
    void onlyWhatIsReplayedIsCompared() {
        bookmark.begin(0);
        assertThat(bookmark.first(envelope("c", "chat.message"))).isTrue();
        assertThat(bookmark.first(envelope("c", "chat.message"))).isTrue();
        // Somebody who numbers answers to plain requests from 1 each time.
        assertThat(bookmark.first(envelope("1", "mcp.response.tools/call", "q1")))
                .isTrue();
        assertThat(bookmark.first(envelope("1", "mcp.response.tools/call", "q2")))
                .isTrue();
        assertThat(bookmark.first(envelope("1", "mcp.response.tools/call", "q2")))
                .isFalse();
    }

    @Test
    void whoHasHeardAnEnvelopeHasHeardAllBeforeIt() {
        bookmark.begin(0);
        for (int i = 1; i <= Bookmark.OFTEN; i++) {
            assertThat(bookmark.isFarBehind()).isFalse();
            bookmark.first(proposal("p" + i));
        }
        assertThat(bookmark.isFarBehind()).isTrue();
        bookmark.compare(Map.of(proposal("p100"), 100L, proposal("p200"), 200L, proposal("not yet"), 5000L));
        assertThat(bookmark.seq()).isEqualTo(200);
        assertThat(bookmark.isFarBehind()).isFalse();
    }

    @Test
    void anotherLedgerIsBegunAfresh() {
        bookmark.begin(500);
        bookmark.begin(3);
        assertThat(bookmark.seq()).isEqualTo(3);
        assertThat(bookmark.first(notice(4))).isTrue();
    }

    @Test
    void aLedgerThatIsShorterThanWhatWasHeardIsAnother() {
        bookmark.begin(3);
        bookmark.first(proposal("a"));
        bookmark.first(envelope("1", "mcp.response.tools/call", "plain"));
        assertThat(bookmark.isBeyond(4)).isFalse();
        assertThat(bookmark.isBeyond(3)).isTrue();
        bookmark.first(notice(9));
        assertThat(bookmark.isBeyond(9)).isFalse();
        assertThat(bookmark.isBeyond(8)).isTrue();
    }

    /** A ledger is told over connections that break anywhere; each goes on from the bookmark. */
    @Test
    void overManyConnectionsEverythingIsHandedOnOnceAndInOrder() {
        Random chance = new Random(7);
        int length = 20_000;
        bookmark.begin(0);
        int expected = 1;
        while (expected <= length) {
            int until = chance.nextInt(3000);
            for (long seq = bookmark.seq() + 1; seq <= length && until-- > 0; seq++) {
                Envelope next = seq % 997 == 0 ? notice(seq) : proposal("p" + seq);
                if (bookmark.first(next)) {
                    assertThat(seq).isEqualTo(expected++);
                }
            }
        }
    }

    @Test
    void whatItKnowsIsBounded() {
        bookmark.begin(0);
        for (int i = 0; i <= Bookmark.MOST; i++) {
            bookmark.first(proposal("p" + i));
        }
        assertThat(bookmark.first(proposal("p1"))).isFalse();
        assertThat(bookmark.first(proposal("p0"))).isTrue();
    }
}
