package dev.gavel.gateway.bus.shared;

import dev.gavel.gateway.bus.Sent;
import dev.gavel.gateway.bus.wire.Ears;
import dev.gavel.gateway.bus.wire.Link;
import dev.gavel.gateway.bus.wire.Loss;
import dev.gavel.gateway.bus.wire.Wire;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** Wires within a test, all on its one thread: nothing is heard until the test says so. */
final class Exchange {
    static final int LIMIT = 1 << 20;

    private final List<TestWire> wires = new ArrayList<>();

    /** What is lost on its way, by its channel and what it says. */
    BiPredicate<String, Message> loses = (channel, message) -> false;

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Post(String channel, byte[] message) {}

    TestWire wire() {
        TestWire wire = new TestWire();
        wires.add(wire);
        return wire;
    }

    /** Has everything heard that is on its way, and whatever that brings about. */
    void settle() {
        boolean busy = true;
        while (busy) {
            busy = false;
            for (TestWire wire : wires) {
                busy |= wire.hearOne();
            }
        }
    }

    final class TestWire implements Wire {
        private final Set<String> channels = new LinkedHashSet<>();
        private final Deque<Post> inbox = new ArrayDeque<>();
        private @Nullable Ears ears;
        private @Nullable TestLink link;
        int published;

        @Override
        public void start(Ears hearer) {
            ears = hearer;
            mend();
        }

        @Override
        public void listen(String channel) {
            channels.add(channel);
        }

        @Override
        public void ignore(String channel) {
            channels.remove(channel);
        }

        /** Loses the connection, and what was on its way here. */
        void cut() {
            lose(Loss.BROKEN);
        }

        private void lose(Loss loss) {
            if (link != null && ears != null) {
                link = null;
                inbox.clear();
                ears.down(loss);
            }
        }

        void mend() {
            if (link == null && ears != null) {
                TestLink made = new TestLink(this);
                link = made;
                ears.up(made);
            }
        }

        /** As if the process were no more. */
        void kill() {
            cut();
            ears = null;
        }

        /** As if somebody else had sent this. */
        void forge(String channel, byte[] message) {
            inbox.add(new Post(channel, message));
        }

        private boolean hearOne() {
            Post next = inbox.poll();
            if (next != null && ears != null) {
                ears.heard(next.channel(), next.message());
            }
            return next != null;
        }

        private boolean listens(String channel) {
            return link != null
                    && (channels.contains(channel)
                            || channels.contains(channel.substring(0, channel.lastIndexOf('.') + 1) + "*"));
        }

        @Override
        public void close() {
            kill();
        }
    }

    private final class TestLink implements Link {
        private final TestWire from;

        TestLink(TestWire from) {
            this.from = from;
        }

        @Override
        public Sent send(String channel, byte[] message) {
            if (from.link != this) {
                return Sent.AWAY;
            }
            from.published++;
            for (TestWire wire : wires) {
                if (wire != from && wire.listens(channel) && !loses.test(channel, Said.read(message))) {
                    wire.inbox.add(new Post(channel, message));
                }
            }
            return Sent.SENT;
        }

        @Override
        public void overrun() {
            from.lose(Loss.OVERRUN);
        }

        @Override
        public int limit() {
            return LIMIT;
        }
    }
}
