package dev.gavel.gateway.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.Kind;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecentEventsReaderTest {
    private static final Kind WRITE = Kind.of("mcp.proposal.tools/call:write");

    @TempDir
    private Path directory;

    private ProposalStoreFixture room;

    @BeforeEach
    void open() {
        room = new ProposalStoreFixture(directory);
    }

    @AfterEach
    void close() {
        room.close();
    }

    private List<Long> seqs(long after, int most) {
        return room.proposalStore.reader().recentEvents(after, most, "alice").stream()
                .map(RecentProposalEvent::seq)
                .toList();
    }

    @Test
    void theLastOfWhatHappenedIsReadInOrderAndSaysWhatItIsAbout() {
        String first = room.propose();
        String second = room.propose();
        room.remark("agent", "withdraw", "{}", List.of(second));
        room.fulfil("alice", first);
        List<RecentProposalEvent> last = room.proposalStore.reader().recentEvents(0, 2, "alice");
        assertThat(last).extracting(RecentProposalEvent::seq).containsExactly(3L, 4L);
        assertThat(last).extracting(RecentProposalEvent::proposal).containsExactly(second, first);
        assertThat(last).extracting(RecentProposalEvent::call).containsOnly(Optional.of(WRITE));
        assertThat(last)
                .extracting(each -> each.entry().event().type())
                .doesNotContain("proposed")
                .hasSize(2);
    }

    @Test
    void whatIsKnownAlreadyIsNotReadAgain() {
        assertThat(seqs(0, 10)).isEmpty();
        room.propose();
        room.propose();
        assertThat(seqs(0, 10)).containsExactly(1L, 2L);
        assertThat(seqs(1, 10)).containsExactly(2L);
        assertThat(seqs(2, 10)).isEmpty();
        assertThat(seqs(99, 10)).isEmpty();
    }

    @Test
    void ofVeryLongOnesFewerAreReadButStillTheLast() {
        String text = "x".repeat(700_000);
        for (int i = 0; i < 10; i++) {
            room.submit(
                    "long-" + i,
                    "agent",
                    "mcp.proposal.tools/call:write",
                    "{'method':'tools/call','params':{'name':'write','arguments':{'text':'" + text + "'}}}",
                    List.of(),
                    List.of());
        }
        assertThat(seqs(0, 10)).endsWith(10L).hasSizeLessThan(10);
    }
}
