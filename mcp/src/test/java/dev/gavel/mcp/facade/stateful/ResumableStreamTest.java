package dev.gavel.mcp.facade.stateful;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcp.facade.transport.McpResponseWriter;
import dev.gavel.mcp.rpc.RpcMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ResumableStreamTest {
    private final AtomicInteger disconnects = new AtomicInteger();
    private final ResumableStream stream = new ResumableStream("r1", disconnects::incrementAndGet);

    /** Records the messages written to it. */
    private static final class RecordingWriter implements McpResponseWriter {
        final List<String> events = new ArrayList<>();

        @Override
        public void start(String eventId) {
            events.add("begin " + eventId);
        }

        @Override
        public void send(String eventId, String message, boolean last) {
            events.add(eventId + " " + message.replaceAll(".*\"id\":(\\d+).*", "$1") + (last ? " last" : ""));
        }

        @Override
        public boolean supportsStreaming() {
            return true;
        }

        @Override
        public void refuse(RefusalReason refusalReason, String message) {
            events.add("refused");
        }

        @Override
        public void end() {
            events.add("end");
        }
    }

    private static RpcMessage message(int number) {
        return new RpcMessage.ResultResponse(String.valueOf(number), "{}");
    }

    @Test
    void buffersOnlyNewestReplaceableMessage() {
        stream.start();
        stream.sendReplaceable(message(1));
        stream.sendReplaceable(message(2));
        stream.send(message(3));
        stream.sendReplaceable(message(4));
        stream.sendReplaceable(message(5));
        RecordingWriter lateReader = new RecordingWriter();
        stream.attach(lateReader, 0);
        assertThat(lateReader.events).containsExactly("begin r1_0", "r1_2 2", "r1_3 3", "r1_5 5");
    }

    @Test
    void deliversMessagesInOrder() {
        RecordingWriter reader = new RecordingWriter();
        stream.attach(reader, 0);
        stream.start();
        stream.send(message(1));
        stream.complete(message(2));
        assertThat(reader.events).containsExactly("begin r1_0", "r1_1 1", "r1_2 2 last");
        stream.send(message(3));
        assertThat(reader.events).hasSize(3);
    }

    @Test
    void resumesAfterLastMessage() {
        RecordingWriter first = new RecordingWriter();
        stream.attach(first, 0);
        stream.start();
        stream.send(message(1));
        stream.detach(first);
        assertThat(disconnects).hasValue(1);
        stream.send(message(2));
        stream.complete(message(3));
        List<Boolean> deliveryChanges = new ArrayList<>();
        stream.onDeliveryChange(deliveryChanges::add);
        RecordingWriter second = new RecordingWriter();
        stream.attach(second, 1);
        assertThat(second.events).containsExactly("begin r1_1", "r1_2 2", "r1_3 3 last");
        assertThat(deliveryChanges).containsExactly(true);
        stream.detach(second);
        assertThat(deliveryChanges).containsExactly(true, false);
    }

    @Test
    void newReaderReplacesOldReader() {
        RecordingWriter first = new RecordingWriter();
        RecordingWriter second = new RecordingWriter();
        stream.attach(first, 0);
        stream.attach(second, 0);
        stream.detach(first);
        stream.send(message(1));
        assertThat(first.events).containsExactly("end");
        assertThat(second.events).containsExactly("begin r1_0", "r1_1 1");
        assertThat(disconnects).hasValue(0);
    }

    @Test
    void limitsBufferButKeepsLastMessage() {
        for (int i = 1; i <= 500; i++) {
            stream.send(message(i));
        }
        stream.complete(message(501));
        RecordingWriter lateReader = new RecordingWriter();
        stream.attach(lateReader, 0);
        assertThat(lateReader.events).hasSizeLessThan(100);
        assertThat(lateReader.events.getLast()).isEqualTo("r1_501 501 last");
    }

    @Test
    void endsReaderOfClosedStream() {
        stream.close();
        RecordingWriter lateReader = new RecordingWriter();
        stream.attach(lateReader, 0);
        assertThat(lateReader.events).containsExactly("end");
    }
}
