package dev.gavel.lifecycle.process;

import java.util.Optional;

/**
 * Another word for a state.
 *
 * @param vacant the word means the state only while nobody holds this role
 */
public record Alias(String word, String state, Optional<String> vacant) {}
