package dev.gavel.cli.log;

import java.util.Optional;

/** The lowest severity that Gavel logs. */
public enum LogLevel {
    ERROR,
    WARN,
    INFO,
    DEBUG;

    /** The level of that name. */
    public static Optional<LogLevel> parse(String word) {
        return switch (word) {
            case "error" -> Optional.of(ERROR);
            case "warn" -> Optional.of(WARN);
            case "info" -> Optional.of(INFO);
            case "debug" -> Optional.of(DEBUG);
            default -> Optional.empty();
        };
    }
}
