package dev.gavel.mcp.facade.call;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** How grave a server's log message is, the least first. */
public enum Severity {
    DEBUG,
    INFO,
    NOTICE,
    WARNING,
    ERROR,
    CRITICAL,
    ALERT,
    EMERGENCY;

    public static final String WORDS =
            Arrays.stream(values()).map(Severity::word).collect(Collectors.joining(", "));

    /** How it is written. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Severity> of(String word) {
        return Arrays.stream(values()).filter(each -> each.word().equals(word)).findFirst();
    }
}
