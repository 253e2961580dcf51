package dev.gavel.lifecycle.actor;

/** One person, or all people with a role, who must act, may act or are reminded. */
public sealed interface PersonOrGroup permits Person, RoleGroup {}
