package dev.gavel.bench.load;

/** Number of deliveries that a {@link LoadGenerator} counted and verified, and how long they took. */
public record LoadResult(long deliveries, long nanos) {}
