package dev.gavel.lifecycle.history;

/**
 * A piece of evidence for a specification proposal: its kind, and its value, which is a link, text, date or vote tally.
 */
public record Evidence(String kind, String value) {
    public Evidence {
        if (kind.isBlank() || value.isBlank()) {
            throw new IllegalArgumentException("evidence needs a kind and a value");
        }
    }
}
