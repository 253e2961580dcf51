package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.Draft.chat;
import static dev.gavel.app.proposal.Draft.proposal;
import static dev.gavel.app.proposal.Draft.rejection;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Event streams: what a socket would get, with the seq of what can be resumed from. */
@Timeout(60)
class FeedTest {
    @TempDir
    private Path data;

    private Room room;
    private Seat helper;

    @BeforeEach
    void open() throws IOException {
        room = new Room(data.resolve("room"));
        helper = room.join("helper");
    }

    @AfterEach
    void close() throws IOException {
        room.close();
    }

    @Test
    void lifecycleEnvelopesCarryTheirSeqAndOthersNone() throws Exception {
        Feed alice = room.listen("alice", "", "");
        assertThat(Seat.kind(alice.next().envelope())).isEqualTo("system.welcome");
        helper.put(proposal("p-1"));
        helper.send(chat("c-1"));
        helper.put(proposal("p-2"));
        Feed.Item first = alice.hear("p-1");
        Feed.Item chat = alice.hear("c-1");
        Feed.Item second = alice.hear("p-2");
        assertThat(chat.id()).isEmpty();
        assertThat(Long.parseLong(second.id())).isEqualTo(Long.parseLong(first.id()) + 1);
        assertThat(Long.parseLong(second.id()))
                .isEqualTo(room.get("alice", "/topics/ops").body().path("seq").asLong());
    }

    @Test
    void aReaderResumesAfterTheLastEventItHad() throws Exception {
        Feed alice = room.listen("alice", "", "");
        helper.put(proposal("p-1"));
        String last = alice.hear("p-1").id();
        alice.close();
        helper.put(proposal("p-2"));
        room.join("bob").put(rejection("r-2", "policy", "p-2"));
        for (Feed again : List.of(room.listen("alice", "", last), room.listen("alice", "?since=" + last, ""))) {
            List<Feed.Item> items = new ArrayList<>();
            do {
                items.add(again.next());
            } while (!Seat.kind(items.getLast().envelope()).equals("system.proposal.rejected"));
            assertThat(Seat.kind(items.getFirst().envelope())).isEqualTo("system.welcome");
            assertThat(Seat.ids(items.stream().map(Feed.Item::envelope).toList()))
                    .doesNotContain("p-1")
                    .containsSubsequence("p-2", "r-2");
            assertThat(Seat.id(items.getLast().envelope()))
                    .isEqualTo("system:event-" + items.getLast().id());
        }
    }

    @Test
    void whoListensHearsTheEchoOfWhatTheyPost() throws Exception {
        Feed proposer = room.listen("helper", "?mode=directed", "");
        room.post("helper", proposal("p-1").to("bob"));
        assertThat(proposer.hear("p-1").id()).isNotEmpty();
    }
}
