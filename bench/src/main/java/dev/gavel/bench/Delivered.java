package dev.gavel.bench;

/** What a {@link Load} delivered, every delivery counted and checked, and how long that took. */
public record Delivered(long deliveries, long nanos) {}
