package dev.gavel.gateway.bus.cluster;

import dev.gavel.gateway.bus.BusSendResult;
import dev.gavel.gateway.bus.transport.BusConnection;
import dev.gavel.gateway.bus.transport.BusDisconnectReason;
import dev.gavel.gateway.bus.transport.BusTransport;
import dev.gavel.gateway.bus.transport.BusTransportListener;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** Connects bus transports within a test on one thread and delivers messages only when the test says so. */
final class InMemoryTransportNetwork {
    static final int LIMIT = 1 << 20;

    private final List<TestTransport> transports = new ArrayList<>();

    /** Selects the messages to drop, by channel and content. */
    BiPredicate<String, BusMessage> drops = (channel, message) -> false;

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record QueuedMessage(String channel, byte[] message) {}

    TestTransport newTransport() {
        TestTransport transport = new TestTransport();
        transports.add(transport);
        return transport;
    }

    /** Delivers all messages in transit, and those that they cause. */
    void deliverAll() {
        boolean busy = true;
        while (busy) {
            busy = false;
            for (TestTransport transport : transports) {
                busy |= transport.deliverNext();
            }
        }
    }

    final class TestTransport implements BusTransport {
        private final Set<String> channels = new LinkedHashSet<>();
        private final Deque<QueuedMessage> inbox = new ArrayDeque<>();
        private @Nullable BusTransportListener listener;
        private @Nullable TestConnection link;
        int published;

        @Override
        public void start(BusTransportListener hearer) {
            listener = hearer;
            reconnect();
        }

        @Override
        public void subscribe(String channel) {
            channels.add(channel);
        }

        @Override
        public void unsubscribe(String channel) {
            channels.remove(channel);
        }

        /** Breaks the connection and drops the messages in transit to this process. */
        void cut() {
            lose(BusDisconnectReason.BROKEN);
        }

        private void lose(BusDisconnectReason busDisconnectReason) {
            if (link != null && listener != null) {
                link = null;
                inbox.clear();
                listener.onDisconnect(busDisconnectReason);
            }
        }

        void reconnect() {
            if (link == null && listener != null) {
                TestConnection made = new TestConnection(this);
                link = made;
                listener.onConnect(made);
            }
        }

        /** Simulates that the process was killed. */
        void kill() {
            cut();
            listener = null;
        }

        /** Simulates a message from another process. */
        void inject(String channel, byte[] message) {
            inbox.add(new QueuedMessage(channel, message));
        }

        private boolean deliverNext() {
            QueuedMessage next = inbox.poll();
            if (next != null && listener != null) {
                listener.onMessage(next.channel(), next.message());
            }
            return next != null;
        }

        private boolean isSubscribed(String channel) {
            return link != null
                    && (channels.contains(channel)
                            || channels.contains(channel.substring(0, channel.lastIndexOf('.') + 1) + "*"));
        }

        @Override
        public void close() {
            kill();
        }
    }

    private final class TestConnection implements BusConnection {
        private final TestTransport from;

        TestConnection(TestTransport from) {
            this.from = from;
        }

        @Override
        public BusSendResult send(String channel, byte[] message) {
            if (from.link != this) {
                return BusSendResult.UNAVAILABLE;
            }
            from.published++;
            for (TestTransport transport : transports) {
                if (transport != from
                        && transport.isSubscribed(channel)
                        && !drops.test(channel, TestMessageDecoder.decode(message))) {
                    transport.inbox.add(new QueuedMessage(channel, message));
                }
            }
            return BusSendResult.SENT;
        }

        @Override
        public void closeOverrun() {
            from.lose(BusDisconnectReason.OVERRUN);
        }

        @Override
        public int maxMessageBytes() {
            return LIMIT;
        }
    }
}
