package dev.gavel.lifecycle.history;

/** A piece of evidence: a link, some words, a date, a vote's tally. */
public record Evidence(String kind, String value) {
    public Evidence {
        if (kind.isBlank() || value.isBlank()) {
            throw new IllegalArgumentException("evidence needs a kind and a value");
        }
    }
}
