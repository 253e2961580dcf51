package dev.gavel.gateway.bus;

import dev.gavel.ledger.Growth;
import java.util.concurrent.Executor;

/** The bus of a process that is alone. Thread-safe. */
public final class NoBus implements Bus {
    private static final Line NOBODY = new Line() {
        @Override
        public void open(Executor loop, Party party) {
            // There is nobody to tell of.
        }

        @Override
        public boolean available() {
            return true;
        }

        @Override
        public Sent send(Parcel parcel) {
            return Sent.SENT;
        }

        @Override
        public void here(Stay stay) {
            // There is nobody to tell.
        }

        @Override
        public void gone(String member) {
            // There is nobody to tell.
        }

        @Override
        public void follow(boolean wanted) {
            // There is nobody to follow.
        }
    };

    private final String process;

    public NoBus(String process) {
        this.process = process;
    }

    @Override
    public String process() {
        return process;
    }

    @Override
    public boolean available() {
        return true;
    }

    @Override
    public boolean alive(String other) {
        return other.equals(process);
    }

    @Override
    public void wrote(Growth growth) {
        // There is nobody to tell.
    }

    @Override
    public Line line(String topic) {
        return NOBODY;
    }

    @Override
    public void close() {
        // There is nobody to take leave of.
    }
}
