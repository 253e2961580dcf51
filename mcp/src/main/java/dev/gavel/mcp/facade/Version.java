package dev.gavel.mcp.facade;

import java.util.Arrays;
import java.util.Optional;

/** A version of MCP that the facade speaks. */
public enum Version {
    V2025_06_18("2025-06-18"),
    V2025_11_25("2025-11-25");

    /** What is spoken with a client that asked for something else. */
    static final Version NEWEST = V2025_11_25;

    private final String date;

    Version(String date) {
        this.date = date;
    }

    /** How it is written. */
    public String date() {
        return date;
    }

    public static Optional<Version> of(String date) {
        return Arrays.stream(values()).filter(each -> each.date.equals(date)).findFirst();
    }
}
