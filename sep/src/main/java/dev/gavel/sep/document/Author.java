package dev.gavel.sep.document;

import java.util.Optional;

/**
 * A person that a document names as author or sponsor, by name, handle or both.
 *
 * @param name the name as written in the document
 * @param handle the handle without the leading {@code @}
 */
public record Author(Optional<String> name, Optional<String> handle) {
    /** Returns the handle, or else the name, which identifies the person. */
    public String identifier() {
        return handle.or(() -> name).orElse("");
    }
}
