package dev.gavel.sep.kept;

import dev.gavel.sep.document.Outline;

/** A document that is kept, and what it says. Immutable. */
public record Filed(String hash, Outline outline) {}
