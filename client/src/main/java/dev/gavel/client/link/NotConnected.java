package dev.gavel.client.link;

import java.util.Optional;

/** The first connection could not be made. */
public final class NotConnected extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Optional<Ending> ending;

    NotConnected(String message, Optional<Ending> ending) {
        super(message);
        this.ending = ending;
    }

    /** Why trying again would not help; empty where it may. */
    public Optional<Ending> ending() {
        return ending;
    }
}
