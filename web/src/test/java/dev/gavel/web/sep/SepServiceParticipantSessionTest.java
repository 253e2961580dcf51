package dev.gavel.web.sep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.process.ProposalTerms;
import dev.gavel.mcp.bridge.TopicConnector;
import dev.gavel.mcpx.EnvelopeLimits;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.service.SepResult;
import dev.gavel.web.http.MemoryQuota;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests how the SEP participant joins its topic, and rejoins it after its session ends. */
class SepServiceParticipantSessionTest {
    private static final int MAX_BYTES = 4_000;

    private final BlockingQueue<Duration> delays = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> sent = new LinkedBlockingQueue<>();
    private final BlockingQueue<TopicConnector.SessionListener> listeners = new LinkedBlockingQueue<>();
    private final AtomicLong nanos = new AtomicLong();
    private volatile boolean broken;
    private volatile CompletableFuture<SepResult> pendingResult;
    private SepServiceParticipant member;

    private final class TestConnector implements TopicConnector {
        @Override
        public TopicSession join(SessionListener sessionListener) throws IOException {
            if (broken) {
                throw new IllegalStateException("nobody thought of this");
            }
            listeners.add(sessionListener);
            return new TopicSession() {
                @Override
                public void send(byte[] envelope, DeliveryMode deliveryMode, Consumer<String> failed) {
                    sent.add(new String(envelope, StandardCharsets.UTF_8));
                }

                @Override
                public void close() {}
            };
        }
    }

    @BeforeEach
    void open() {
        Json largeResult = Json.object().with("text", Json.ofText("x".repeat(MAX_BYTES)));
        pendingResult = CompletableFuture.completedFuture(new SepResult.Success(largeResult));
        member = participant(MemoryQuota.forSepCalls(1_000_000));
    }

    private SepServiceParticipant participant(MemoryQuota quota) {
        return new SepServiceParticipant(
                new TestConnector(),
                (caller, sepOperation, arguments) -> pendingResult,
                identity -> Set.of(),
                EnvelopeLimits.DEFAULT.withBytes(MAX_BYTES, MAX_BYTES),
                ProposalTerms.DEFAULT,
                quota,
                new SepServiceParticipant.ReconnectTimer() {
                    @Override
                    public long nanos() {
                        return nanos.get();
                    }

                    @Override
                    public void sleep(Duration time) {
                        if (time.toSeconds() >= 4) {
                            broken = false;
                        }
                        delays.add(time);
                    }
                });
    }

    @AfterEach
    void close() {
        member.close();
    }

    private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        T next = queue.poll(30, TimeUnit.SECONDS);
        assertThat(next).isNotNull();
        return next;
    }

    @Test
    void itRejoinsAfterAnyFailureAndQuicklyAfterALongSession() throws InterruptedException {
        broken = true;
        member.start();
        TopicConnector.SessionListener first = next(listeners);
        assertThat(delays).containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(4));
        delays.clear();
        first.onRemoved("thrown out at once", false);
        assertThat(next(delays)).isEqualTo(Duration.ofSeconds(8));
        TopicConnector.SessionListener second = next(listeners);
        nanos.addAndGet(Duration.ofHours(1).toNanos());
        second.onRemoved("thrown out at last", false);
        assertThat(next(delays)).isEqualTo(Duration.ofSeconds(1));
        next(listeners);
    }

    private static byte[] call(String tool) {
        return ("{\"protocol\":\"mcpx/v0.1\",\"id\":\"r1\",\"from\":\"alice\",\"to\":[\"" + SepServiceParticipant.NAME
                        + "\"],\"kind\":\"mcp.request.tools/call:" + tool
                        + "\",\"payload\":{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\""
                        + tool + "\",\"arguments\":{}}}}")
                .getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void oneMembersCallsTakeABoundedShareOfTheMemory() throws InterruptedException {
        CompletableFuture<SepResult> result = new CompletableFuture<>();
        pendingResult = result;
        member.close();
        member = participant(MemoryQuota.forSepCalls(8L * 4 * 4 * 2 * call("sep_list").length));
        member.start();
        TopicConnector.SessionListener listener = next(listeners);
        for (int i = 0; i < 3; i++) {
            listener.onEnvelope(call("sep_list"));
        }
        assertThat(next(sent)).contains("your unanswered calls are too large in total", "nothing was changed");
        result.complete(new SepResult.Success(Json.object()));
        assertThat(next(sent)).doesNotContain("too large");
        assertThat(next(sent)).doesNotContain("too large");
        listener.onEnvelope(call("sep_list"));
        assertThat(next(sent)).doesNotContain("too large");
    }

    @Test
    void aTooLongResponseReportsDoneOnlyAfterAChange() throws InterruptedException {
        member.start();
        TopicConnector.SessionListener listener = next(listeners);
        listener.onEnvelope(call("sep_list"));
        assertThat(next(sent))
                .contains("the response is too long; use the HTTP API or the command line")
                .doesNotContain("it is done");
        listener.onEnvelope(call("sep_comment"));
        assertThat(next(sent)).contains("the operation succeeded, but the response cannot be sent");
    }
}
