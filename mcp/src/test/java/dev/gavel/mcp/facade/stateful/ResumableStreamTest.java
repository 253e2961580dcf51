package dev.gavel.mcp.facade.stateful;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcp.facade.transport.McpResponseWriter;
import dev.gavel.mcp.rpc.RpcMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ResumableStreamTest {
    private final AtomicInteger lost = new AtomicInteger();
    private final ResumableStream out = new ResumableStream("r1", lost::incrementAndGet);

    /** Records the messages written to it. */
    private static final class Notes implements McpResponseWriter {
        final List<String> all = new ArrayList<>();

        @Override
        public void start(String eventId) {
            all.add("begin " + eventId);
        }

        @Override
        public void send(String eventId, String message, boolean last) {
            all.add(eventId + " " + message.replaceAll(".*\"id\":(\\d+).*", "$1") + (last ? " last" : ""));
        }

        @Override
        public boolean supportsStreaming() {
            return true;
        }

        @Override
        public void refuse(RefusalReason refusalReason, String message) {
            all.add("refused");
        }

        @Override
        public void end() {
            all.add("end");
        }
    }

    private static RpcMessage message(int number) {
        return new RpcMessage.ResultResponse(String.valueOf(number), "{}");
    }

    @Test
    void ofHowACallStandsOnlyTheNewestIsKept() {
        out.start();
        out.sendReplaceable(message(1));
        out.sendReplaceable(message(2));
        out.send(message(3));
        out.sendReplaceable(message(4));
        out.sendReplaceable(message(5));
        Notes late = new Notes();
        out.attach(late, 0);
        assertThat(late.all).containsExactly("begin r1_0", "r1_2 2", "r1_3 3", "r1_5 5");
    }

    @Test
    void whoeverReadsGetsAllInOrder() {
        Notes notes = new Notes();
        out.attach(notes, 0);
        out.start();
        out.send(message(1));
        out.complete(message(2));
        assertThat(notes.all).containsExactly("begin r1_0", "r1_1 1", "r1_2 2 last");
        assertThat(out.isDelivered()).isTrue();
        out.send(message(3));
        assertThat(notes.all).hasSize(3);
    }

    @Test
    void whoeverComesBackGoesOnAfterTheLastMessage() {
        Notes first = new Notes();
        out.attach(first, 0);
        out.start();
        out.send(message(1));
        out.detach(first);
        assertThat(lost).hasValue(1);
        out.send(message(2));
        out.complete(message(3));
        assertThat(out.isDelivered()).isFalse();
        Notes second = new Notes();
        out.attach(second, 1);
        assertThat(second.all).containsExactly("begin r1_1", "r1_2 2", "r1_3 3 last");
        assertThat(out.isDelivered()).isTrue();
    }

    @Test
    void oneReaderTakesTheOthersPlace() {
        Notes first = new Notes();
        Notes second = new Notes();
        out.attach(first, 0);
        out.attach(second, 0);
        out.detach(first);
        out.send(message(1));
        assertThat(first.all).containsExactly("end");
        assertThat(second.all).containsExactly("begin r1_0", "r1_1 1");
        assertThat(lost).hasValue(0);
    }

    @Test
    void whatIsKeptIsBoundedButTheAnswerStays() {
        for (int i = 1; i <= 500; i++) {
            out.send(message(i));
        }
        out.complete(message(501));
        Notes late = new Notes();
        out.attach(late, 0);
        assertThat(late.all).hasSizeLessThan(100);
        assertThat(late.all.getLast()).isEqualTo("r1_501 501 last");
    }

    @Test
    void whoeverComesAfterTheEndIsNotLeftWaiting() {
        out.close();
        Notes late = new Notes();
        out.attach(late, 0);
        assertThat(late.all).containsExactly("end");
    }
}
