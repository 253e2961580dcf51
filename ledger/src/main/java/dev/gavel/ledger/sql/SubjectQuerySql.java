package dev.gavel.ledger.sql;

import dev.gavel.ledger.SubjectQuery;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The SQL text and parameters of a query for one page of subject summaries, such as the open proposals of a topic. */
public record SubjectQuerySql(String text, List<Object> parameters) {
    public static SubjectQuerySql of(
            String select, String streamId, SubjectQuery query, @Nullable String cursor, int limit) {
        boolean newestFirst = query.order() == SubjectQuery.Order.NEWEST_FIRST;
        StringBuilder sql =
                new StringBuilder(select).append("WHERE u.stream = ").append(streamId);
        List<Object> parameters = new ArrayList<>();
        parameters.add(query.stream());
        if (query.open() != null) {
            sql.append(query.open() ? " AND u.open = 1" : " AND u.open = 0");
        }
        if (query.state() != null) {
            sql.append(" AND u.state = ?");
            parameters.add(query.state());
        }
        if (query.owner() != null) {
            sql.append(" AND u.owner = ?");
            parameters.add(query.owner());
        }
        if (cursor != null) {
            sql.append(newestFirst ? " AND u.subject < ?" : " AND u.subject > ?");
            parameters.add(parseCursor(cursor));
        }
        sql.append(newestFirst ? " ORDER BY u.subject DESC LIMIT ?" : " ORDER BY u.subject LIMIT ?");
        // One row more than requested shows whether there is a next page.
        parameters.add(limit + 1);
        return new SubjectQuerySql(sql.toString(), parameters);
    }

    private static long parseCursor(String cursor) {
        try {
            return Long.parseLong(cursor);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("not a cursor of this ledger: " + cursor, e);
        }
    }
}
