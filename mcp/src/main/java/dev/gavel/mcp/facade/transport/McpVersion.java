package dev.gavel.mcp.facade.transport;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The MCP protocol versions that the facade supports. */
public enum McpVersion {
    V2025_06_18("2025-06-18"),
    V2025_11_25("2025-11-25"),
    V2026_07_28("2026-07-28");

    /** The version for a client that starts with {@code initialize} and requests an unsupported version. */
    public static final McpVersion NEWEST_STATEFUL = V2025_11_25;

    private final String date;

    McpVersion(String date) {
        this.date = date;
    }

    /** Returns the version as written in messages. */
    public String date() {
        return date;
    }

    /** Whether clients of this version start with {@code initialize} and continue in a session. */
    public boolean isStateful() {
        return this != V2026_07_28;
    }

    public static Optional<McpVersion> of(String date) {
        return Arrays.stream(values()).filter(each -> each.date.equals(date)).findFirst();
    }

    /** Returns all versions as written in messages, newest first. */
    public static List<String> dates() {
        return Arrays.stream(values()).map(McpVersion::date).toList().reversed();
    }
}
