package dev.gavel.app.register;

import java.time.Instant;

/** Who did something, and when. */
public record Act(String by, Instant at) {}
