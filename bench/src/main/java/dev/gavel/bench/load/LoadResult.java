package dev.gavel.bench.load;

/** What a {@link LoadGenerator} delivered, every delivery counted and checked, and how long that took. */
public record LoadResult(long deliveries, long nanos) {}
