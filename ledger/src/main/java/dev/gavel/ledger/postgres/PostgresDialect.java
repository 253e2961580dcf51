package dev.gavel.ledger.postgres;

import dev.gavel.ledger.sql.SqlDialect;

/**
 * Supplies the SQL fragments for PostgreSQL, and escapes NUL characters in text because PostgreSQL cannot store them. A
 * NUL becomes a backslash and a zero, and a backslash becomes two. Stateless.
 */
final class PostgresDialect implements SqlDialect {
    @Override
    public String joinKeyword() {
        return "JOIN";
    }

    @Override
    public String greatestFunction() {
        return "greatest";
    }

    /** Excludes streams without events: a stream's row is created before its first event. */
    @Override
    public String streamsQuery() {
        return """
                SELECT name FROM stream
                WHERE last_seq <> 0 OR EXISTS (SELECT 1 FROM event WHERE event.stream = stream.id) ORDER BY name
                """;
    }

    @Override
    public String encodeText(String text) {
        if (text.indexOf('\\') < 0 && text.indexOf('\0') < 0) {
            return text;
        }
        return text.replace("\\", "\\\\").replace("\0", "\\0");
    }

    @Override
    public String decodeText(String stored) {
        if (stored.indexOf('\\') < 0) {
            return stored;
        }
        StringBuilder text = new StringBuilder(stored.length());
        for (int i = 0; i < stored.length(); i++) {
            char next = stored.charAt(i);
            if (next == '\\' && i + 1 < stored.length()) {
                i++;
                text.append(stored.charAt(i) == '0' ? '\0' : stored.charAt(i));
            } else {
                text.append(next);
            }
        }
        return text.toString();
    }
}
