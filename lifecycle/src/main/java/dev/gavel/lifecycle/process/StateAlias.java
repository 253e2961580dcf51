package dev.gavel.lifecycle.process;

import java.util.Optional;

/**
 * Another word for a state of a process, optionally valid only while a role is vacant.
 *
 * @param vacantRole the role that must be vacant for the alias to apply; if empty, it always applies
 */
public record StateAlias(String word, String state, Optional<String> vacantRole) {}
