package dev.gavel.gateway;

import dev.gavel.gateway.bus.Bus;
import dev.gavel.gateway.bus.BusEnvelope;
import dev.gavel.gateway.bus.BusSendResult;
import dev.gavel.gateway.bus.MemberPresence;
import dev.gavel.gateway.bus.RemoteLedgerWriteNotifier;
import dev.gavel.gateway.bus.TopicBusChannel;
import dev.gavel.gateway.bus.TopicBusListener;
import dev.gavel.ledger.AppendedRange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Connects several gateways of one test by an in-memory bus that can drop or delay messages. */
final class InMemoryBusNetwork {
    private final Map<String, Node> nodes = new LinkedHashMap<>();
    private final List<Runnable> delayed = new ArrayList<>();
    private boolean silent;
    private boolean delaying;

    synchronized Node node(String process, RemoteLedgerWriteNotifier remoteLedgerWriteNotifier) {
        Node node = new Node(process, remoteLedgerWriteNotifier);
        nodes.put(process, node);
        return node;
    }

    /** Drops all write announcements from now on. */
    synchronized void dropWriteAnnouncements() {
        silent = true;
    }

    /** Delays envelopes from now on, until {@link #releaseEnvelopes}. */
    synchronized void delayEnvelopes() {
        delaying = true;
    }

    synchronized void releaseEnvelopes() {
        delaying = false;
        delayed.forEach(Runnable::run);
        delayed.clear();
    }

    final class Node implements Bus {
        private final String process;
        private final RemoteLedgerWriteNotifier writeNotifier;
        private final Map<String, End> ends = new LinkedHashMap<>();
        private volatile boolean away;

        Node(String process, RemoteLedgerWriteNotifier remoteLedgerWriteNotifier) {
            this.process = process;
            this.writeNotifier = remoteLedgerWriteNotifier;
        }

        @Override
        public String process() {
            return process;
        }

        @Override
        public boolean isAvailable() {
            return !away;
        }

        @Override
        public boolean isAlive(String other) {
            return true;
        }

        void setUnreachable(boolean now) {
            away = now;
            ends.values().forEach(end -> end.dispatch(topicBusListener -> topicBusListener.onReachable(!now)));
        }

        @Override
        public void announceWrite(AppendedRange appendedRange) {
            synchronized (InMemoryBusNetwork.this) {
                if (!silent && !away) {
                    others().forEach(node -> node.writeNotifier.notifyWritten(appendedRange));
                }
            }
        }

        private List<Node> others() {
            return nodes.values().stream()
                    .filter(node -> node != this && !node.away)
                    .toList();
        }

        @Override
        public TopicBusChannel topicChannel(String topic) {
            return new End(this, topic);
        }

        @Override
        public void close() {
            // It ends with the test.
        }
    }

    private final class End implements TopicBusChannel {
        private final Node node;
        private final String topic;
        private final Map<String, MemberPresence> here = new LinkedHashMap<>();
        private Executor loop = task -> {};
        private @Nullable TopicBusListener listener;
        private volatile boolean followed;

        End(Node node, String topic) {
            this.node = node;
            this.topic = topic;
        }

        @Override
        public void open(Executor where, TopicBusListener whom) {
            synchronized (InMemoryBusNetwork.this) {
                loop = where;
                listener = whom;
                node.ends.put(topic, this);
                others().forEach(end -> end.here
                        .values()
                        .forEach(memberPresence ->
                                dispatch(it -> it.onMemberPresent(end.node.process, memberPresence))));
            }
        }

        private void dispatch(Consumer<TopicBusListener> what) {
            TopicBusListener whom = listener;
            if (whom != null) {
                try {
                    loop.execute(() -> what.accept(whom));
                } catch (RejectedExecutionException e) {
                    // The process has stopped: it receives nothing more.
                }
            }
        }

        private List<End> others() {
            return node.others().stream()
                    .flatMap(other -> other.ends.values().stream())
                    .filter(end -> end.topic.equals(topic))
                    .toList();
        }

        @Override
        public boolean isAvailable() {
            return node.isAvailable();
        }

        @Override
        public BusSendResult send(BusEnvelope busEnvelope) {
            synchronized (InMemoryBusNetwork.this) {
                if (node.away) {
                    return BusSendResult.UNAVAILABLE;
                }
                Runnable arriving = () -> others().stream()
                        .filter(end -> end.followed || busEnvelope.forAllProcesses())
                        .forEach(end -> end.dispatch(topicBusListener -> topicBusListener.onEnvelope(busEnvelope)));
                if (delaying) {
                    delayed.add(arriving);
                } else {
                    arriving.run();
                }
                return BusSendResult.SENT;
            }
        }

        @Override
        public void announcePresent(MemberPresence memberPresence) {
            synchronized (InMemoryBusNetwork.this) {
                here.put(memberPresence.member(), memberPresence);
                others().forEach(end -> end.dispatch(
                        topicBusListener -> topicBusListener.onMemberPresent(node.process, memberPresence)));
            }
        }

        @Override
        public void announceAbsent(String member) {
            synchronized (InMemoryBusNetwork.this) {
                here.remove(member);
                others().forEach(end ->
                        end.dispatch(topicBusListener -> topicBusListener.onMemberAbsent(node.process, member)));
            }
        }

        @Override
        public void setReceiving(boolean wanted) {
            followed = wanted;
        }
    }
}
