package dev.gavel.cli.log;

import java.util.Optional;

/** How a line of the log is written. */
public enum LogFormat {
    /** For people. */
    TEXT,
    /** For programs: one JSON object a line. */
    JSON;

    /** The format of that name. */
    public static Optional<LogFormat> parse(String word) {
        return switch (word) {
            case "text" -> Optional.of(TEXT);
            case "json" -> Optional.of(JSON);
            default -> Optional.empty();
        };
    }
}
