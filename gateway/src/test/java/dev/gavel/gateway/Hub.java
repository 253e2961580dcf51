package dev.gavel.gateway;

import dev.gavel.gateway.bus.Bus;
import dev.gavel.gateway.bus.Line;
import dev.gavel.gateway.bus.Lookout;
import dev.gavel.gateway.bus.Parcel;
import dev.gavel.gateway.bus.Party;
import dev.gavel.gateway.bus.Sent;
import dev.gavel.gateway.bus.Stay;
import dev.gavel.ledger.Growth;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What lies between gateways in one process, for tests: it loses what it is told to lose, and keeps what it is told to keep. */
final class Hub {
    private final Map<String, Node> nodes = new LinkedHashMap<>();
    private final List<Runnable> kept = new ArrayList<>();
    private boolean silent;
    private boolean keeping;

    synchronized Node node(String process, Lookout lookout) {
        Node node = new Node(process, lookout);
        nodes.put(process, node);
        return node;
    }

    /** From now on nobody says that they wrote. */
    synchronized void silence() {
        silent = true;
    }

    /** From now on parcels are on their way, until they arrive. */
    synchronized void keep() {
        keeping = true;
    }

    synchronized void arrive() {
        keeping = false;
        kept.forEach(Runnable::run);
        kept.clear();
    }

    final class Node implements Bus {
        private final String process;
        private final Lookout lookout;
        private final Map<String, End> ends = new LinkedHashMap<>();
        private volatile boolean away;

        Node(String process, Lookout lookout) {
            this.process = process;
            this.lookout = lookout;
        }

        @Override
        public String process() {
            return process;
        }

        @Override
        public boolean available() {
            return !away;
        }

        @Override
        public boolean alive(String other) {
            return true;
        }

        void away(boolean now) {
            away = now;
            ends.values().forEach(end -> end.tell(party -> party.reachable(!now)));
        }

        @Override
        public void wrote(Growth growth) {
            synchronized (Hub.this) {
                if (!silent && !away) {
                    others().forEach(node -> node.lookout.told(growth));
                }
            }
        }

        private List<Node> others() {
            return nodes.values().stream()
                    .filter(node -> node != this && !node.away)
                    .toList();
        }

        @Override
        public Line line(String topic) {
            return new End(this, topic);
        }

        @Override
        public void close() {
            // It ends with the test.
        }
    }

    private final class End implements Line {
        private final Node node;
        private final String topic;
        private final Map<String, Stay> here = new LinkedHashMap<>();
        private Executor loop = task -> {};
        private @Nullable Party party;
        private volatile boolean followed;

        End(Node node, String topic) {
            this.node = node;
            this.topic = topic;
        }

        @Override
        public void open(Executor where, Party whom) {
            synchronized (Hub.this) {
                loop = where;
                party = whom;
                node.ends.put(topic, this);
                others().forEach(end -> end.here.values().forEach(stay -> tell(it -> it.came(end.node.process, stay))));
            }
        }

        private void tell(Consumer<Party> what) {
            Party whom = party;
            if (whom != null) {
                loop.execute(() -> what.accept(whom));
            }
        }

        private List<End> others() {
            return node.others().stream()
                    .flatMap(other -> other.ends.values().stream())
                    .filter(end -> end.topic.equals(topic))
                    .toList();
        }

        @Override
        public boolean available() {
            return node.available();
        }

        @Override
        public Sent send(Parcel parcel) {
            synchronized (Hub.this) {
                if (node.away) {
                    return Sent.AWAY;
                }
                Runnable arriving = () -> others().stream()
                        .filter(end -> end.followed || parcel.forGateways())
                        .forEach(end -> end.tell(party -> party.received(parcel)));
                if (keeping) {
                    kept.add(arriving);
                } else {
                    arriving.run();
                }
                return Sent.SENT;
            }
        }

        @Override
        public void here(Stay stay) {
            synchronized (Hub.this) {
                here.put(stay.member(), stay);
                others().forEach(end -> end.tell(party -> party.came(node.process, stay)));
            }
        }

        @Override
        public void gone(String member) {
            synchronized (Hub.this) {
                here.remove(member);
                others().forEach(end -> end.tell(party -> party.left(node.process, member)));
            }
        }

        @Override
        public void follow(boolean wanted) {
            followed = wanted;
        }
    }
}
