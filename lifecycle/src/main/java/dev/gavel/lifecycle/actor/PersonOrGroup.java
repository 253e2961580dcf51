package dev.gavel.lifecycle.actor;

/** Whom something concerns: one person, or everybody who brings a role. */
public sealed interface PersonOrGroup permits Person, RoleGroup {}
