package dev.gavel.cli.log;

import java.util.Optional;

/** The format in which the program writes its log to standard error: text for people, or JSON lines. */
public enum LogOutputFormat {
    /** Text for people. */
    TEXT,
    /** For programs: one JSON object per line. */
    JSON;

    /** Returns the format with this name, or empty if there is none. */
    public static Optional<LogOutputFormat> parse(String word) {
        return switch (word) {
            case "text" -> Optional.of(TEXT);
            case "json" -> Optional.of(JSON);
            default -> Optional.empty();
        };
    }
}
