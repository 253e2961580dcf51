package dev.gavel.lifecycle.people;

/** Whom something concerns: one person, or everybody who brings a role. */
public sealed interface Party permits Person, Group {}
