package dev.gavel.web.registry;

import java.time.Instant;

/** Who did something, and when. */
public record ChangeAttribution(String by, Instant at) {}
