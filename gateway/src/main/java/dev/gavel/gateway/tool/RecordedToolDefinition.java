package dev.gavel.gateway.tool;

import java.util.Optional;

/**
 * A tool definition as the ledger stores it: the digest, and the definition itself unless it is too large.
 *
 * @param definition the definition; empty if it is larger than {@link #MAX_LENGTH}
 */
public record RecordedToolDefinition(String participant, String digest, Optional<ToolDefinition> definition) {
    /** The number of characters of canonical JSON up to which a definition is stored, and not only its digest. */
    public static final int MAX_LENGTH = 16 * 1024;

    /** Returns the record of a definition. */
    public static RecordedToolDefinition of(ToolDefinition definition) {
        return new RecordedToolDefinition(
                definition.participant(),
                definition.digest(),
                Optional.of(definition).filter(each -> each.canonical().length() <= MAX_LENGTH));
    }

    /** Whether this is the record of a definition. */
    public boolean matches(ToolDefinition other) {
        return digest.equals(other.digest());
    }
}
