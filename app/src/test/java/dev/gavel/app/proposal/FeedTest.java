package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.TestEnvelope.chat;
import static dev.gavel.app.proposal.TestEnvelope.proposal;
import static dev.gavel.app.proposal.TestEnvelope.rejection;
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

/** Tests event streams: they contain what a socket would receive, with the sequence numbers to resume from. */
@Timeout(60)
class FeedTest {
    @TempDir
    private Path data;

    private TestTopic testTopic;
    private TestParticipant helper;

    @BeforeEach
    void open() throws IOException {
        testTopic = new TestTopic(data.resolve("room"));
        helper = testTopic.join("helper");
    }

    @AfterEach
    void close() throws IOException {
        testTopic.close();
    }

    @Test
    void lifecycleEnvelopesCarryTheirSeqAndOthersNone() throws Exception {
        TestEventStream alice = testTopic.listen("alice", "", "");
        assertThat(TestParticipant.kind(alice.next().envelope())).isEqualTo("system.welcome");
        helper.sendAndAwaitEcho(proposal("p-1"));
        helper.send(chat("c-1"));
        helper.sendAndAwaitEcho(proposal("p-2"));
        TestEventStream.Item first = alice.await("p-1");
        TestEventStream.Item chat = alice.await("c-1");
        TestEventStream.Item second = alice.await("p-2");
        assertThat(chat.id()).isEmpty();
        assertThat(Long.parseLong(second.id())).isEqualTo(Long.parseLong(first.id()) + 1);
        assertThat(Long.parseLong(second.id()))
                .isEqualTo(
                        testTopic.get("alice", "/topics/ops").body().path("seq").asLong());
    }

    @Test
    void aReaderResumesAfterTheLastEventItHad() throws Exception {
        TestEventStream alice = testTopic.listen("alice", "", "");
        helper.sendAndAwaitEcho(proposal("p-1"));
        String last = alice.await("p-1").id();
        alice.close();
        helper.sendAndAwaitEcho(proposal("p-2"));
        testTopic.join("bob").sendAndAwaitEcho(rejection("r-2", "policy", "p-2"));
        for (TestEventStream again :
                List.of(testTopic.listen("alice", "", last), testTopic.listen("alice", "?since=" + last, ""))) {
            List<TestEventStream.Item> items = new ArrayList<>();
            do {
                items.add(again.next());
            } while (!TestParticipant.kind(items.getLast().envelope()).equals("system.proposal.rejected"));
            assertThat(TestParticipant.kind(items.getFirst().envelope())).isEqualTo("system.welcome");
            assertThat(TestParticipant.ids(
                            items.stream().map(TestEventStream.Item::envelope).toList()))
                    .doesNotContain("p-1")
                    .containsSubsequence("p-2", "r-2");
            assertThat(TestParticipant.id(items.getLast().envelope()))
                    .isEqualTo("system:event-" + items.getLast().id());
        }
    }

    @Test
    void whoListensHearsTheEchoOfWhatTheyPost() throws Exception {
        TestEventStream proposer = testTopic.listen("helper", "?mode=directed", "");
        testTopic.post("helper", proposal("p-1").to("bob"));
        assertThat(proposer.await("p-1").id()).isNotEmpty();
    }
}
