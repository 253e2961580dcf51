package dev.gavel.lifecycle.process;

import java.util.Optional;

/**
 * An alternative name for a state of a process, valid either always or only while a given role is vacant.
 *
 * @param vacantRole the role that must be vacant for the alias to apply; if empty, it always applies
 */
public record StateAlias(String word, String state, Optional<String> vacantRole) {}
