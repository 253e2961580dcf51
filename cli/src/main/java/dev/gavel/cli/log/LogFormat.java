package dev.gavel.cli.log;

import java.util.Optional;

/** The format of the log: text for people, or JSON lines. */
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
