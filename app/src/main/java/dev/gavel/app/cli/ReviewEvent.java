package dev.gavel.app.cli;

import dev.gavel.app.terminal.Key;
import dev.gavel.client.http.RemoteException;
import java.util.List;

/** Something that happens while somebody reviews. */
sealed interface ReviewEvent {
    /** Keys were pressed. */
    record Pressed(List<Key> keys) implements ReviewEvent {
        public Pressed {
            keys = List.copyOf(keys);
        }
    }

    /** No key will be pressed any more: the terminal has gone. */
    record HungUp() implements ReviewEvent {}

    /** Something was sent that may be about these proposals, or about requests that fulfil some. */
    record News(List<String> about) implements ReviewEvent {
        public News {
            about = List.copyOf(about);
        }
    }

    /** Somebody came or went. */
    record Attendance() implements ReviewEvent {}

    /** The server went away; it is waited for. */
    record Lost() implements ReviewEvent {}

    /** The server is back: anything may have happened meanwhile. */
    record Back() implements ReviewEvent {}

    /** The server will not tell any more. */
    record Refused(RemoteException why) implements ReviewEvent {}
}
