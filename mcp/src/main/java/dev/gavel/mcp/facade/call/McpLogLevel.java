package dev.gavel.mcp.facade.call;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The severity levels of MCP log messages, least severe first. */
public enum McpLogLevel {
    DEBUG,
    INFO,
    NOTICE,
    WARNING,
    ERROR,
    CRITICAL,
    ALERT,
    EMERGENCY;

    public static final String ALL_NAMES =
            Arrays.stream(values()).map(McpLogLevel::wireName).collect(Collectors.joining(", "));

    /** Returns the name in MCP messages. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<McpLogLevel> of(String text) {
        return Arrays.stream(values())
                .filter(each -> each.wireName().equals(text))
                .findFirst();
    }
}
