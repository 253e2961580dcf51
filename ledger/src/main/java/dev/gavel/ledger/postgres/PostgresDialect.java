package dev.gavel.ledger.postgres;

import dev.gavel.ledger.sql.SqlDialect;

/**
 * The PostgreSQL dialect, which also escapes NUL characters that PostgreSQL cannot store in text. A NUL becomes a
 * backslash and a zero, and a backslash becomes two. Stateless.
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
    public String decodeText(String kept) {
        if (kept.indexOf('\\') < 0) {
            return kept;
        }
        StringBuilder text = new StringBuilder(kept.length());
        for (int i = 0; i < kept.length(); i++) {
            char next = kept.charAt(i);
            if (next == '\\' && i + 1 < kept.length()) {
                i++;
                text.append(kept.charAt(i) == '0' ? '\0' : kept.charAt(i));
            } else {
                text.append(next);
            }
        }
        return text.toString();
    }
}
