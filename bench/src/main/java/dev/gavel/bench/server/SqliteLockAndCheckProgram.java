package dev.gavel.bench.server;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Program that locks a SQLite ledger file or checks its integrity, run as a separate process. Run with the driver
 * beside it.
 */
public final class SqliteLockAndCheckProgram {
    private SqliteLockAndCheckProgram() {}

    /** {@code hold FILE} says {@code held} and holds it until its input ends; {@code check FILE} says {@code ok}. */
    public static void main(String[] args) throws SQLException, IOException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + args[1]);
                Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA busy_timeout = 5000");
            if (args[0].equals("hold")) {
                statement.execute("BEGIN EXCLUSIVE");
                System.out.println("held");
                while (System.in.read() >= 0) {
                    // Whoever started this lets go by closing its input.
                }
                statement.execute("ROLLBACK");
            } else {
                try (ResultSet answer = statement.executeQuery("PRAGMA integrity_check")) {
                    System.out.println(answer.getString(1));
                }
            }
        }
    }
}
