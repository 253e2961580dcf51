package dev.gavel.mcp.bridge;

import dev.gavel.gateway.tool.ToolDefinition;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/** Joins a bridge to its topic, in this process or at a remote gateway. Thread-safe. */
public interface TopicConnector {
    /** Returns why the bridge cannot join now, or empty if it can. Saves the start of a server that could not join. */
    default Optional<String> unavailableReason() {
        return Optional.empty();
    }

    /**
     * Whether this process still owns the bridge and may run calls. Checked right before each call, because another
     * process may have taken over while this one was suspended.
     */
    default boolean isOwner() {
        return true;
    }

    /**
     * Whether {@link #definitionProblem} must be asked before this call of a tool runs. If not, the call runs without
     * delay.
     */
    default boolean verifiesDefinition(TopicRequest call) {
        return false;
    }

    /**
     * Returns why a call of a tool must not run with the tool's current definition; empty if it can run. Does not block.
     *
     * @param current empty if the server does not list the tool
     */
    default Optional<String> definitionProblem(String tool, Optional<ToolDefinition> current) {
        return Optional.empty();
    }

    /**
     * Joins the topic.
     *
     * @throws IOException if that is not possible, with a message that gives the reason
     */
    TopicSession join(SessionListener sessionListener) throws IOException;

    /**
     * Finds requests to the member that a previous, now ended, process received and did not answer, if the connector
     * can know them. Does not block.
     *
     * @param onFound receives each request, on any thread
     */
    default void findUnanswered(Consumer<TopicRequest> onFound) {}

    /** How reliably an envelope is delivered. */
    enum DeliveryMode {
        /** Dropped if the queue is full. */
        BEST_EFFORT,
        /** A requester waits for it. */
        NORMAL,
        /** The ledger stores it, and it must arrive even if the connection is interrupted. */
        DURABLE
    }

    /** The gateway permanently refuses this member or token; another attempt would fail too. */
    final class JoinRefusedException extends IOException {
        private static final long serialVersionUID = 1L;

        JoinRefusedException(String reason) {
            super(reason);
        }
    }

    /** The connection to the topic, until it is closed. Thread-safe. */
    interface TopicSession extends AutoCloseable {
        /**
         * Sends an envelope without blocking.
         *
         * @param onFailure called with the reason if the envelope is known not to have arrived
         */
        void send(byte[] envelope, DeliveryMode deliveryMode, Consumer<String> onFailure);

        /** Leaves the topic. Blocks for a few seconds at most. */
        @Override
        void close();
    }

    /** Receives events of the topic. Must not block the caller. */
    interface SessionListener {
        /** Called for each envelope received. */
        void onEnvelope(byte[] envelope);

        /**
         * Called when an interrupted connection is restored: other participants may have missed notifications or
         * restarted.
         */
        void onReconnect();

        /**
         * Called when the connection is lost.
         *
         * @param permanent whether another attempt to join would fail too
         */
        void onRemoved(String reason, boolean permanent);
    }
}
