package dev.gavel.web.registry;

import java.time.Instant;

/** The admin who made a change, and the time of the change. */
public record ChangeAttribution(String by, Instant at) {}
