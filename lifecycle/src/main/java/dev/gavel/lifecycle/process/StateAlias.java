package dev.gavel.lifecycle.process;

import java.util.Optional;

/**
 * Another word for a state of a process, optionally valid only while a role is vacant.
 *
 * @param vacantRole the word means the state only while nobody holds this role
 */
public record StateAlias(String word, String state, Optional<String> vacantRole) {}
