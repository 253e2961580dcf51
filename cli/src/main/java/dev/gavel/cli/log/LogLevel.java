package dev.gavel.cli.log;

import java.util.Optional;

/** How severe a message must be for Gavel to log it: error, warn, info or debug. */
public enum LogLevel {
    ERROR,
    WARN,
    INFO,
    DEBUG;

    /** Returns the level with this name, or empty if there is none. */
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
