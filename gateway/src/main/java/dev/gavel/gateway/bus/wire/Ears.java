package dev.gavel.gateway.bus.wire;

/** Who hears what comes over a wire; never called twice at the same time, and must not hold the caller up. */
public interface Ears {
    /** There is a connection, and whoever sends on a listened-to channel from now on is heard. */
    void up(Link link);

    /** The connection is lost; nothing more is heard from it. */
    void down(Loss loss);

    /** Somebody sent this. */
    void heard(String channel, byte[] message);
}
