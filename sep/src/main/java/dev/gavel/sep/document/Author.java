package dev.gavel.sep.document;

import java.util.Optional;

/**
 * A person that a document names as author or sponsor, by name, handle or both.
 *
 * @param name as people write it
 * @param handle without the sign before it
 */
public record Author(Optional<String> name, Optional<String> handle) {
    /** What tells them from others: their handle, else their name. */
    public String identifier() {
        return handle.or(() -> name).orElse("");
    }
}
