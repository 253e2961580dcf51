package dev.gavel.gateway;

import dev.gavel.gateway.bus.Bus;
import dev.gavel.gateway.bus.BusSendResult;
import dev.gavel.gateway.bus.ForwardedEnvelope;
import dev.gavel.gateway.bus.InterProcessTopicChannel;
import dev.gavel.gateway.bus.MemberPresence;
import dev.gavel.gateway.bus.RemoteLedgerWriteDispatcher;
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
    private boolean droppingWriteAnnouncements;
    private boolean delaying;

    synchronized Node node(String process, RemoteLedgerWriteDispatcher remoteLedgerWriteDispatcher) {
        Node node = new Node(process, remoteLedgerWriteDispatcher);
        nodes.put(process, node);
        return node;
    }

    /** Drops all write announcements from now on. */
    synchronized void dropWriteAnnouncements() {
        droppingWriteAnnouncements = true;
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
        private final RemoteLedgerWriteDispatcher writeNotifier;
        private final Map<String, TestBusChannel> testBusChannels = new LinkedHashMap<>();
        private volatile boolean away;

        Node(String process, RemoteLedgerWriteDispatcher remoteLedgerWriteDispatcher) {
            this.process = process;
            this.writeNotifier = remoteLedgerWriteDispatcher;
        }

        @Override
        public String processId() {
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
            testBusChannels
                    .values()
                    .forEach(testBusChannel ->
                            testBusChannel.dispatch(topicBusListener -> topicBusListener.onReachabilityChanged(!now)));
        }

        @Override
        public void announceWrite(AppendedRange appendedRange) {
            synchronized (InMemoryBusNetwork.this) {
                if (!droppingWriteAnnouncements && !away) {
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
        public InterProcessTopicChannel topicChannel(String topic) {
            return new TestBusChannel(this, topic);
        }

        @Override
        public void close() {
            // It ends with the test.
        }
    }

    private final class TestBusChannel implements InterProcessTopicChannel {
        private final Node node;
        private final String topic;
        private final Map<String, MemberPresence> presences = new LinkedHashMap<>();
        private Executor loop = task -> {};
        private @Nullable TopicBusListener listener;
        private volatile boolean receiving;

        TestBusChannel(Node node, String topic) {
            this.node = node;
            this.topic = topic;
        }

        @Override
        public void open(Executor where, TopicBusListener whom) {
            synchronized (InMemoryBusNetwork.this) {
                loop = where;
                listener = whom;
                node.testBusChannels.put(topic, this);
                others().forEach(testBusChannel -> testBusChannel
                        .presences
                        .values()
                        .forEach(memberPresence ->
                                dispatch(it -> it.onMemberPresent(testBusChannel.node.process, memberPresence))));
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

        private List<TestBusChannel> others() {
            return node.others().stream()
                    .flatMap(other -> other.testBusChannels.values().stream())
                    .filter(testBusChannel -> testBusChannel.topic.equals(topic))
                    .toList();
        }

        @Override
        public boolean isAvailable() {
            return node.isAvailable();
        }

        @Override
        public BusSendResult send(ForwardedEnvelope forwardedEnvelope) {
            synchronized (InMemoryBusNetwork.this) {
                if (node.away) {
                    return BusSendResult.UNAVAILABLE;
                }
                Runnable arriving = () -> others().stream()
                        .filter(testBusChannel -> testBusChannel.receiving || forwardedEnvelope.forAllProcesses())
                        .forEach(testBusChannel -> testBusChannel.dispatch(
                                topicBusListener -> topicBusListener.onEnvelope(forwardedEnvelope)));
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
                presences.put(memberPresence.member(), memberPresence);
                others().forEach(testBusChannel -> testBusChannel.dispatch(
                        topicBusListener -> topicBusListener.onMemberPresent(node.process, memberPresence)));
            }
        }

        @Override
        public void announceAbsent(String member) {
            synchronized (InMemoryBusNetwork.this) {
                presences.remove(member);
                others().forEach(testBusChannel -> testBusChannel.dispatch(
                        topicBusListener -> topicBusListener.onMemberAbsent(node.process, member)));
            }
        }

        @Override
        public void setReceiving(boolean wanted) {
            receiving = wanted;
        }
    }
}
