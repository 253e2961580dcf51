package dev.gavel.lifecycle.history;

/** A piece of evidence of a kind, given as a link, text, date or vote tally. */
public record Evidence(String kind, String value) {
    public Evidence {
        if (kind.isBlank() || value.isBlank()) {
            throw new IllegalArgumentException("evidence needs a kind and a value");
        }
    }
}
