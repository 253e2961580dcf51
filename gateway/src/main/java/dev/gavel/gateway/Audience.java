package dev.gavel.gateway;

import dev.gavel.gateway.delivery.Delivery;
import dev.gavel.gateway.delivery.Outgoing;
import dev.gavel.gateway.delivery.Receiver;
import dev.gavel.gateway.docket.Message;
import dev.gavel.mcpx.Spelling;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The receivers of a topic, and who of them is sent what. Confined to the topic's loop. */
final class Audience {
    private static final int MOST_HELD_BYTES = 1024 * 1024;

    private final Delivery delivery;

    /** The receivers that are not sent everything, with whose they are. */
    private final Map<Receiver, String> directed = new LinkedHashMap<>();

    /**
     * The receivers that are being told, in order, what happened to proposals before now, with what else there is for
     * them after that.
     */
    private final Map<Receiver, Held> behind = new LinkedHashMap<>();

    /** The last seq that those who are not behind have been told of, where anybody has been told of anything. */
    private long told;

    Audience(Delivery delivery) {
        this.delivery = delivery;
    }

    void add(Connection connection) {
        delivery.add(connection.receiver());
        if (connection.mode() == Mode.DIRECTED) {
            directed.put(connection.receiver(), connection.member().id());
        }
    }

    void remove(Connection connection) {
        delivery.remove(connection.receiver());
        directed.remove(connection.receiver());
        behind.remove(connection.receiver());
    }

    /**
     * What is sent in the topic is held for a receiver that is behind, except about proposals: that it will be told from
     * the ledger, by {@link #replay}.
     *
     * @param present the last seq that the others have been told of
     */
    void fallBehind(Receiver receiver, long present) {
        behind.put(receiver, new Held(present));
    }

    /** Tells a receiver that is behind what happened, after what else was sent in the topic before that. */
    void replay(Receiver receiver, Message message) {
        Held held = behind.get(receiver);
        if (held != null) {
            held.releaseBefore(receiver, message.seq());
        }
        delivery.toOne(receiver, outgoing(message));
    }

    /** From here on the receiver is sent everything as it comes. */
    void catchUp(Receiver receiver) {
        Held held = behind.remove(receiver);
        if (held != null) {
            held.releaseBefore(receiver, Long.MAX_VALUE);
        }
    }

    /** Something that the others were sent after what happened up to a seq. */
    private record Later(long after, Outgoing envelope) {}

    /** What waits until a receiver has caught up. When it becomes too much it is sent at once, and so is what follows. */
    private final class Held {
        final Queue<Later> envelopes = new ArrayDeque<>(0);
        final long present;
        int bytes;

        Held(long present) {
            this.present = present;
        }

        void add(Receiver receiver, Outgoing envelope) {
            bytes += envelope.in(receiver.spelling()).length;
            envelopes.add(new Later(Math.max(present, told), envelope));
            if (bytes > MOST_HELD_BYTES) {
                releaseBefore(receiver, Long.MAX_VALUE);
            }
        }

        /** Sends what the others were sent before something happened. */
        void releaseBefore(Receiver receiver, long seq) {
            while (!envelopes.isEmpty() && envelopes.element().after() < seq) {
                delivery.toOne(receiver, envelopes.remove().envelope());
            }
        }
    }

    /** From here on the receiver is sent another spelling. */
    void respell(Receiver receiver, Spelling spelling) {
        delivery.respell(receiver, spelling);
    }

    void toOne(Receiver receiver, Outgoing envelope) {
        delivery.toOne(receiver, envelope);
    }

    /** Sends something to one receiver, after what it is still to be told of before. */
    void toOneInTurn(Receiver receiver, Outgoing envelope) {
        Held held = behind.get(receiver);
        if (held == null) {
            delivery.toOne(receiver, envelope);
        } else {
            held.add(receiver, envelope);
        }
    }

    /** Tells everybody but one. */
    void announce(@Nullable Receiver but, Outgoing envelope) {
        send(but, receiver -> true, envelope);
    }

    /** Sends an envelope to those it is for; its sender is not sent it. */
    void route(@Nullable Receiver sender, Recipients recipients, Outgoing envelope) {
        send(sender, receiver -> isFor(receiver, recipients), envelope);
    }

    private boolean isFor(Receiver receiver, Recipients recipients) {
        String participant = directed.get(receiver);
        return participant == null
                || recipients.broadcast()
                || recipients.names().contains(participant);
    }

    private void send(@Nullable Receiver sender, Predicate<Receiver> isFor, Outgoing envelope) {
        behind.forEach((receiver, held) -> {
            if (!receiver.equals(sender) && isFor.test(receiver)) {
                held.add(receiver, envelope);
            }
        });
        if (directed.isEmpty() && behind.isEmpty()) {
            delivery.toAllBut(sender, envelope);
        } else {
            delivery.toAllBut(
                    sender, picky(), receiver -> !behind.containsKey(receiver) && isFor.test(receiver), envelope);
        }
    }

    /** The receivers that are not sent everything as it comes. */
    private Iterable<Receiver> picky() {
        if (behind.isEmpty()) {
            return directed.keySet();
        }
        Set<Receiver> picky = new LinkedHashSet<>(directed.keySet());
        picky.addAll(behind.keySet());
        return picky;
    }

    /** Sends what there is about proposals to those it is for, its sender among them, who gets it as an echo. */
    void publish(Message message) {
        Outgoing envelope = outgoing(message);
        told = Math.max(told, message.seq());
        if (directed.isEmpty() && behind.isEmpty()) {
            delivery.toAllBut(null, envelope);
            return;
        }
        delivery.toAllBut(null, picky(), receiver -> wants(receiver, message), envelope);
    }

    private boolean wants(Receiver receiver, Message message) {
        if (behind.containsKey(receiver)) {
            return false;
        }
        String participant = directed.get(receiver);
        return participant == null || message.concerns(participant);
    }

    static Outgoing outgoing(Message message) {
        return new Outgoing(message.seq(), message::encode);
    }

    /** How many envelopes were handed to receivers so far. Thread-safe. */
    long delivered() {
        return delivery.delivered();
    }

    /** Writes what has been collected. */
    void flush() {
        delivery.flush();
    }
}
