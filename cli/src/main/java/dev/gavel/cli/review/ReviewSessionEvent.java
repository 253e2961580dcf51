package dev.gavel.cli.review;

import dev.gavel.cli.terminal.TerminalKey;
import dev.gavel.client.http.RemoteGatewayException;
import java.util.List;

/** An event that the interactive review reacts to: a key press, or a change reported by the server. */
sealed interface ReviewSessionEvent {
    /** The reviewer pressed keys. */
    record KeysPressed(List<TerminalKey> keys) implements ReviewSessionEvent {
        public KeysPressed {
            keys = List.copyOf(keys);
        }
    }

    /** The terminal is closed; no more keys arrive. */
    record TerminalClosed() implements ReviewSessionEvent {}

    /**
     * An envelope arrived that may concern these proposals, or requests that fulfil proposals.
     *
     * @param ids ids of proposals or requests
     */
    record ProposalsChanged(List<String> ids) implements ReviewSessionEvent {
        public ProposalsChanged {
            ids = List.copyOf(ids);
        }
    }

    /** A participant connected or disconnected. */
    record PresenceChanged() implements ReviewSessionEvent {}

    /** The connection to the server is lost; the feed keeps trying to reconnect. */
    record ServerLost() implements ReviewSessionEvent {}

    /** The server is back. Any proposal may have changed meanwhile. */
    record ServerBack() implements ReviewSessionEvent {}

    /** The server refuses to send more events. */
    record FeedRefused(RemoteGatewayException cause) implements ReviewSessionEvent {}
}
