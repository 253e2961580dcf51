package dev.gavel.mcp.facade.transport;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The MCP protocol versions that the facade supports. */
public enum McpVersion {
    V2025_06_18("2025-06-18"),
    V2025_11_25("2025-11-25"),
    V2026_07_28("2026-07-28");

    /** What is spoken with a client that begins with a handshake and asks for something else. */
    public static final McpVersion NEWEST_STATEFUL = V2025_11_25;

    private final String date;

    McpVersion(String date) {
        this.date = date;
    }

    /** How it is written. */
    public String date() {
        return date;
    }

    /** Whether its clients begin with a handshake, and go on in a session. */
    public boolean isStateful() {
        return this != V2026_07_28;
    }

    public static Optional<McpVersion> of(String date) {
        return Arrays.stream(values()).filter(each -> each.date.equals(date)).findFirst();
    }

    /** All of them as they are written, the newest first. */
    public static List<String> dates() {
        return Arrays.stream(values()).map(McpVersion::date).toList().reversed();
    }
}
