package dev.gavel.cli.log;

import java.util.Optional;

/** The format of the program's own log on standard error: text for people, or JSON lines. */
public enum DiagnosticLogFormat {
    /** Text for people. */
    TEXT,
    /** For programs: one JSON object per line. */
    JSON;

    /** Returns the format with this name, or empty if there is none. */
    public static Optional<DiagnosticLogFormat> parse(String word) {
        return switch (word) {
            case "text" -> Optional.of(TEXT);
            case "json" -> Optional.of(JSON);
            default -> Optional.empty();
        };
    }
}
