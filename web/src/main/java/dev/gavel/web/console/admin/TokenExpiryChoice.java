package dev.gavel.web.console.admin;

/** The lifetimes that an admin can choose for a new token. */
public enum TokenExpiryChoice {
    DAY("1d", "in a day"),
    WEEK("7d", "in a week"),
    MONTH("30d", "in 30 days"),
    QUARTER("90d", "in 90 days"),
    YEAR("365d", "in a year"),
    NEVER("", "never, until it is revoked");

    private final String value;
    private final String label;

    TokenExpiryChoice(String formValue, String displayLabel) {
        this.value = formValue;
        this.label = displayLabel;
    }

    /** The lifetime as the API accepts it; empty for a token that never expires. */
    public String value() {
        return value;
    }

    /** The lifetime as people read it. */
    public String label() {
        return label;
    }
}
