package dev.gavel.cli.review;

import dev.gavel.cli.terminal.TerminalKey;
import dev.gavel.client.http.RemoteGatewayException;
import java.util.List;

/** An event of a review session: keys pressed, or something that happened on the server. */
sealed interface ReviewEvent {
    /** Keys were pressed. */
    record KeysPressed(List<TerminalKey> keys) implements ReviewEvent {
        public KeysPressed {
            keys = List.copyOf(keys);
        }
    }

    /** No key will be pressed any more: the terminal has gone. */
    record TerminalClosed() implements ReviewEvent {}

    /** Something was sent that may be about these proposals, or about requests that fulfil some. */
    record ProposalsChanged(List<String> about) implements ReviewEvent {
        public ProposalsChanged {
            about = List.copyOf(about);
        }
    }

    /** Somebody came or went. */
    record PresenceChanged() implements ReviewEvent {}

    /** The server went away; it is waited for. */
    record ServerLost() implements ReviewEvent {}

    /** The server is back: anything may have happened meanwhile. */
    record ServerBack() implements ReviewEvent {}

    /** The server will not tell any more. */
    record FeedRefused(RemoteGatewayException why) implements ReviewEvent {}
}
