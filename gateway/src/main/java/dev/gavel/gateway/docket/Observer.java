package dev.gavel.gateway.docket;

/** Hears of everything that happens to proposals once it is durable: on the topic's loop, which it must not hold up. */
@FunctionalInterface
public interface Observer {
    /** Takes no notice. */
    Observer NONE = (topic, change) -> {};

    void happened(String topic, Change change);
}
