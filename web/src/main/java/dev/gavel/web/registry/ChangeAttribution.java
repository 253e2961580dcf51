package dev.gavel.web.registry;

import java.time.Instant;

/** Records which admin made a change, and when. */
public record ChangeAttribution(String by, Instant at) {}
