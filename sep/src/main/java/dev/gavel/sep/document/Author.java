package dev.gavel.sep.document;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A person that a document names as author or sponsor, by name, handle or both.
 *
 * @param name the name as written in the document
 * @param handle the handle without the leading {@code @}
 */
public record Author(Optional<String> name, Optional<String> handle) {
    private static final Pattern COMPANY = Pattern.compile(
            ".*\\b(?:LLC|Inc|Ltd|GmbH|Corp|Corporation|Company|AG|B\\.V|S\\.A|PLC|Foundation|University|Committee|Team"
                    + "|Working Group)\\.?",
            Pattern.CASE_INSENSITIVE);

    /** Whether the name is that of an organisation, such as "Example Ltd", and not of a person. */
    public boolean isCompany() {
        return handle.isEmpty()
                && name.filter(words -> COMPANY.matcher(words).matches()).isPresent();
    }

    /** Returns the handle, or else the name, which identifies the person. */
    public String identifier() {
        return handle.or(() -> name).orElse("");
    }
}
