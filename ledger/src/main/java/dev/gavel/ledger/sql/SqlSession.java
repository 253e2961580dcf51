package dev.gavel.ledger.sql;

import dev.gavel.ledger.LedgerException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Runs SQL on one database connection and reuses the statements prepared on it. Not thread-safe. */
public class SqlSession implements AutoCloseable {
    /** Converts the current row of a result set. */
    @FunctionalInterface
    public interface RowMapper<T> {
        T read(ResultSet row) throws SQLException;
    }

    private final Connection connection;
    private final SqlDialect dialect;
    private final Map<String, PreparedStatement> statements = new HashMap<>();

    protected SqlSession(Connection connection, SqlDialect dialect) {
        this.connection = connection;
        this.dialect = dialect;
    }

    protected Connection connection() {
        return connection;
    }

    SqlDialect dialect() {
        return dialect;
    }

    /** Runs one or several SQL statements without parameters. */
    public void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    public int update(String sql, @Nullable Object... parameters) throws SQLException {
        return prepare(sql, parameters).executeUpdate();
    }

    public <T> List<T> list(String sql, RowMapper<T> mapper, @Nullable Object... parameters) throws SQLException {
        return listWhile(row -> true, sql, mapper, parameters);
    }

    /** Returns the rows of a query up to and including the first for which {@code more} is false. */
    public <T> List<T> listWhile(Predicate<T> more, String sql, RowMapper<T> mapper, @Nullable Object... parameters)
            throws SQLException {
        try (ResultSet rows = prepare(sql, parameters).executeQuery()) {
            List<T> all = new ArrayList<>();
            while (rows.next()) {
                all.add(mapper.read(rows));
                if (!more.test(all.getLast())) {
                    break;
                }
            }
            return all;
        }
    }

    public <T> Optional<T> first(String sql, RowMapper<T> mapper, @Nullable Object... parameters) throws SQLException {
        try (ResultSet rows = prepare(sql, parameters).executeQuery()) {
            return rows.next() ? Optional.of(mapper.read(rows)) : Optional.empty();
        }
    }

    /** Returns the single number that a query selects; 0 if it selects none. */
    public long queryLong(String sql, @Nullable Object... parameters) throws SQLException {
        return first(sql, row -> row.getLong(1), parameters).orElse(0L);
    }

    /** Returns a text column that is not null. */
    public String text(ResultSet row, int column) throws SQLException {
        return dialect.decodeText(row.getString(column));
    }

    /** Returns a text column, or null. */
    public @Nullable String textOrNull(ResultSet row, int column) throws SQLException {
        String stored = row.getString(column);
        return stored == null ? null : dialect.decodeText(stored);
    }

    /** Returns the prepared statement with these parameters bound. */
    protected PreparedStatement prepare(String sql, @Nullable Object... parameters) throws SQLException {
        PreparedStatement statement = statements.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            statements.put(sql, statement);
        }
        for (int i = 0; i < parameters.length; i++) {
            bind(statement, i + 1, parameters[i]);
        }
        return statement;
    }

    private void bind(PreparedStatement statement, int index, @Nullable Object parameter) throws SQLException {
        switch (parameter) {
            case null -> statement.setObject(index, null);
            case Long number -> statement.setLong(index, number);
            case Integer number -> statement.setInt(index, number);
            case String text -> statement.setString(index, dialect.encodeText(text));
            case byte[] bytes -> statement.setBytes(index, bytes);
            case List<?> texts -> {
                Object[] stored = texts.stream()
                        .map(text -> dialect.encodeText((String) text))
                        .toArray();
                statement.setArray(index, connection.createArrayOf("text", stored));
            }
            case Object other -> throw new IllegalArgumentException("not an SQL value: " + other.getClass());
        }
    }

    /** Closes all prepared statements: with some drivers a statement that failed cannot be used again. */
    protected void closeStatements() throws SQLException {
        for (PreparedStatement statement : statements.values()) {
            statement.close();
        }
        statements.clear();
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new LedgerException("a connection to the ledger could not be closed: " + e.getMessage(), e);
        }
    }
}
