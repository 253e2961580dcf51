package dev.gavel.web.console.admin;

/** The lifetimes that an admin can choose for a new token. */
public enum TokenExpiryChoice {
    DAY("1d", "In 1 day"),
    WEEK("7d", "In 7 days"),
    MONTH("30d", "In 30 days"),
    QUARTER("90d", "In 90 days"),
    YEAR("365d", "In 1 year"),
    NEVER("", "Never");

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
