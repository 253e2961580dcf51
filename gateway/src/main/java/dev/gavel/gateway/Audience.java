package dev.gavel.gateway;

import dev.gavel.gateway.delivery.Delivery;
import dev.gavel.gateway.delivery.Outgoing;
import dev.gavel.gateway.delivery.Receiver;
import dev.gavel.gateway.docket.Message;
import dev.gavel.mcpx.Spelling;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The receivers of a topic, and who of them is sent what. Confined to the topic's loop. */
final class Audience {
    private final Delivery delivery;

    /** The receivers that are not sent everything, with whose they are. */
    private final Map<Receiver, String> directed = new LinkedHashMap<>();

    /** The receivers that are being told, in order, what happened to proposals before now. */
    private final Set<Receiver> behind = new HashSet<>();

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

    /** A receiver that is behind is sent nothing about proposals but what {@link #toOne} brings it. */
    void fallBehind(Receiver receiver) {
        behind.add(receiver);
    }

    void catchUp(Receiver receiver) {
        behind.remove(receiver);
    }

    /** From here on the receiver is sent another spelling. */
    void respell(Receiver receiver, Spelling spelling) {
        delivery.respell(receiver, spelling);
    }

    void toOne(Receiver receiver, Outgoing envelope) {
        delivery.toOne(receiver, envelope);
    }

    /** Tells everybody but one. */
    void announce(@Nullable Receiver but, Outgoing envelope) {
        delivery.toAllBut(but, envelope);
    }

    /** Sends an envelope to those it is for; its sender is not sent it. */
    void route(@Nullable Receiver sender, Recipients recipients, Outgoing envelope) {
        if (recipients.broadcast() || directed.isEmpty()) {
            delivery.toAllBut(sender, envelope);
        } else {
            delivery.toAllBut(
                    sender,
                    directed.keySet(),
                    receiver -> recipients.names().contains(directed.get(receiver)),
                    envelope);
        }
    }

    /**
     * Sends what there is about proposals to those it is for, its sender among them.
     *
     * @param sender where it came from, which gets it as an echo
     */
    void publish(Message message, @Nullable Receiver sender) {
        Outgoing envelope = outgoing(message);
        if (directed.isEmpty() && behind.isEmpty()) {
            delivery.toAllBut(null, envelope);
            return;
        }
        List<Receiver> picky = new ArrayList<>(directed.keySet());
        picky.addAll(behind);
        delivery.toAllBut(null, picky, receiver -> wants(receiver, message, sender), envelope);
    }

    private boolean wants(Receiver receiver, Message message, @Nullable Receiver sender) {
        if (behind.contains(receiver)) {
            return false;
        }
        String participant = directed.get(receiver);
        return participant == null || receiver.equals(sender) || message.concerns(participant);
    }

    static Outgoing outgoing(Message message) {
        return new Outgoing(message.seq(), message::encode);
    }

    /** Writes what has been collected. */
    void flush() {
        delivery.flush();
    }
}
