package dev.gavel.sep.sweep;

import dev.gavel.lifecycle.Due;

/** Something a clock says it is time for, of one proposal. Immutable. */
public record Errand(int number, String title, Due due) {}
