package dev.gavel.app.config;

import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Validates a PostgreSQL JDBC URL, and never quotes it in an error message because it may contain a password.
 * Stateless.
 */
final class PostgresUrlValidator {
    /** The prefix of PostgreSQL JDBC URLs. */
    static final String SCHEME = "jdbc:postgresql:";

    /**
     * The driver's logger, which writes the URL, or part of a password mistaken for a port, directly to standard error.
     */
    private static final Logger DRIVER = Logger.getLogger("org.postgresql");

    private PostgresUrlValidator() {}

    /**
     * Returns the problem with a URL, worded to follow the name of the setting; empty if the driver can parse the URL.
     */
    static Optional<String> validate(String address) {
        if (address.replaceFirst("\\?.*", "").contains("@")) {
            return Optional.of(
                    "must not contain a user or password before the host: set 'user' and 'password' next to 'url', or append ?user=…&password=… to the URL");
        }
        return isUnderstood(address)
                ? Optional.empty()
                : Optional.of("is not a valid PostgreSQL URL; use the form jdbc:postgresql://host:5432/gavel");
    }

    private static boolean isUnderstood(String address) {
        Level before = DRIVER.getLevel();
        DRIVER.setLevel(Level.OFF);
        try {
            return DriverManager.getDriver(address).acceptsURL(address);
        } catch (SQLException | RuntimeException e) {
            return false;
        } finally {
            DRIVER.setLevel(before);
        }
    }
}
