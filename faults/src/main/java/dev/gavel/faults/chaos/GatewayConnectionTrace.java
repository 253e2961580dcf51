package dev.gavel.faults.chaos;

import dev.gavel.bench.client.ReceivedEnvelope;
import java.util.ArrayList;
import java.util.List;

/**
 * Records the chat messages that a gateway process sent on one WebSocket, in the order in which it sent them.
 * Thread-safe.
 */
final class GatewayConnectionTrace {
    private final String gateway;
    private final long process;
    private final int number;
    private final String participant;
    private final boolean directed;
    private final List<ChatMessage> sent = new ArrayList<>();

    /** A chat message and its sender. */
    record ChatMessage(String id, String from) {}

    /**
     * Creates an empty trace.
     *
     * @param process identifies the run of the gateway; it changes when the gateway is restarted
     * @param number the position of the connection among those that were opened to the gateway
     * @param participant the participant that opened the connection
     * @param directed whether the participant receives only what is addressed to it
     */
    GatewayConnectionTrace(String gateway, long process, int number, String participant, boolean directed) {
        this.gateway = gateway;
        this.process = process;
        this.number = number;
        this.participant = participant;
        this.directed = directed;
    }

    /** Records an envelope if it is a chat message. */
    synchronized void record(ReceivedEnvelope envelope) {
        if (isChat(envelope)) {
            sent.add(new ChatMessage(envelope.id(), envelope.textField("from")));
        }
    }

    static boolean isChat(ReceivedEnvelope envelope) {
        return envelope.kind().startsWith("chat.");
    }

    /** The name of the gateway and its process. */
    String process() {
        return gateway + " (process " + process + ")";
    }

    int number() {
        return number;
    }

    String participant() {
        return participant;
    }

    boolean isDirected() {
        return directed;
    }

    synchronized List<ChatMessage> sent() {
        return List.copyOf(sent);
    }

    @Override
    public String toString() {
        return "connection " + number + " of " + participant;
    }
}
