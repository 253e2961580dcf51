package dev.gavel.app.config;

import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Validates a PostgreSQL JDBC URL without repeating it, because it may contain a password. Stateless. */
final class PostgresUrlValidator {
    /** What such an address begins with. */
    static final String SCHEME = "jdbc:postgresql:";

    /** It writes the address, or half a password taken for a port, straight to standard error. */
    private static final Logger DRIVER = Logger.getLogger("org.postgresql");

    private PostgresUrlValidator() {}

    /** What is wrong with it, to be put behind what it is called; nothing where the driver can make something of it. */
    static Optional<String> validate(String address) {
        if (address.replaceFirst("\\?.*", "").contains("@")) {
            return Optional.of(
                    "must not have a user or password before its host: set 'user' and 'password' beside 'url', or add ?user=…&password=… to it");
        }
        return isUnderstood(address)
                ? Optional.empty()
                : Optional.of(
                        "is no address that PostgreSQL's driver understands; write it like jdbc:postgresql://host:5432/gavel");
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
