package dev.gavel.bench.server;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Program that runs as a separate process: {@code hold} locks a SQLite ledger file, {@code check} checks its integrity.
 * Needs the SQLite driver on its class path.
 */
public final class SqliteLockAndCheckProgram {
    private SqliteLockAndCheckProgram() {}

    /**
     * {@code hold FILE} prints {@code held} and holds the lock until its input ends; {@code check FILE} prints
     * {@code ok}.
     */
    public static void main(String[] args) throws SQLException, IOException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + args[1]);
                Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA busy_timeout = 5000");
            if (args[0].equals("hold")) {
                statement.execute("BEGIN EXCLUSIVE");
                System.out.println("held");
                while (System.in.read() >= 0) {
                    // The parent process releases the lock by closing this process's input.
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
