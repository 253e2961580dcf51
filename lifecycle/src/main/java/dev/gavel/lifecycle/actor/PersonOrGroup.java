package dev.gavel.lifecycle.actor;

/** A person or a role group that must act, may act, or is reminded. */
public sealed interface PersonOrGroup permits Person, RoleGroup {}
