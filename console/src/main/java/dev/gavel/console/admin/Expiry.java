package dev.gavel.console.admin;

/** How long a token may be good. */
public enum Expiry {
    DAY("1d", "in a day"),
    WEEK("7d", "in a week"),
    MONTH("30d", "in 30 days"),
    QUARTER("90d", "in 90 days"),
    YEAR("365d", "in a year"),
    NEVER("", "never, until it is revoked");

    private final String word;
    private final String words;

    Expiry(String word, String words) {
        this.word = word;
        this.words = words;
    }

    /** As a span of time; empty for one without an end. */
    public String word() {
        return word;
    }

    /** As people read it. */
    public String words() {
        return words;
    }
}
