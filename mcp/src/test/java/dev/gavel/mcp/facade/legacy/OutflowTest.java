package dev.gavel.mcp.facade.legacy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcp.facade.port.Sink;
import dev.gavel.mcp.rpc.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OutflowTest {
    private final AtomicInteger lost = new AtomicInteger();
    private final Outflow out = new Outflow("r1", lost::incrementAndGet);

    /** Notes what it is sent. */
    private static final class Notes implements Sink {
        final List<String> all = new ArrayList<>();

        @Override
        public void begin(String eventId) {
            all.add("begin " + eventId);
        }

        @Override
        public void send(String eventId, String message, boolean last) {
            all.add(eventId + " " + message.replaceAll(".*\"id\":(\\d+).*", "$1") + (last ? " last" : ""));
        }

        @Override
        public boolean streams() {
            return true;
        }

        @Override
        public void refuse(Fault fault, String message) {
            all.add("refused");
        }

        @Override
        public void end() {
            all.add("end");
        }
    }

    private static Message message(int number) {
        return new Message.Response(String.valueOf(number), "{}");
    }

    @Test
    void ofHowACallStandsOnlyTheNewestIsKept() {
        out.begin();
        out.update(message(1));
        out.update(message(2));
        out.send(message(3));
        out.update(message(4));
        out.update(message(5));
        Notes late = new Notes();
        out.attach(late, 0);
        assertThat(late.all).containsExactly("begin r1_0", "r1_2 2", "r1_3 3", "r1_5 5");
    }

    @Test
    void whoeverReadsGetsAllInOrder() {
        Notes notes = new Notes();
        out.attach(notes, 0);
        out.begin();
        out.send(message(1));
        out.finish(message(2));
        assertThat(notes.all).containsExactly("begin r1_0", "r1_1 1", "r1_2 2 last");
        assertThat(out.handed()).isTrue();
        out.send(message(3));
        assertThat(notes.all).hasSize(3);
    }

    @Test
    void whoeverComesBackGoesOnAfterTheLastMessage() {
        Notes first = new Notes();
        out.attach(first, 0);
        out.begin();
        out.send(message(1));
        out.detach(first);
        assertThat(lost).hasValue(1);
        out.send(message(2));
        out.finish(message(3));
        assertThat(out.handed()).isFalse();
        Notes second = new Notes();
        out.attach(second, 1);
        assertThat(second.all).containsExactly("begin r1_1", "r1_2 2", "r1_3 3 last");
        assertThat(out.handed()).isTrue();
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
        out.finish(message(501));
        Notes late = new Notes();
        out.attach(late, 0);
        assertThat(late.all).hasSizeLessThan(100);
        assertThat(late.all.getLast()).isEqualTo("r1_501 501 last");
    }

    @Test
    void whoeverComesAfterTheEndIsNotLeftWaiting() {
        out.end();
        Notes late = new Notes();
        out.attach(late, 0);
        assertThat(late.all).containsExactly("end");
    }
}
