package dev.gavel.sep.notification;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The mail server and the sender of mail. The connection is encrypted, except to the same machine. Immutable.
 *
 * @param smtp {@code smtps://HOST[:PORT]} for TLS from the start, {@code smtp://HOST[:PORT]} for STARTTLS
 * @param from the address of the sender
 * @param login the user and password, if the server requires them
 */
public record MailSettings(URI smtp, String from, Optional<Login> login) {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final int SMTPS_PORT = 465;
    private static final int SUBMISSION_PORT = 587;

    /** The user and password of the mail server. The text form does not contain the password. */
    public record Login(String user, String password) {
        @Override
        public String toString() {
            return "login of " + user;
        }
    }

    public MailSettings {
        validate(smtp).ifPresent(why -> {
            throw new IllegalArgumentException(why);
        });
    }

    /** Returns why an address is not that of a mail server; empty if it is one. */
    public static Optional<String> validate(URI smtp) {
        String scheme = smtp.getScheme() == null ? "" : smtp.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("smtps") && !scheme.equals("smtp")) {
            return Optional.of("the address of a mail server must begin with smtps:// or smtp://");
        }
        if (smtp.getHost() == null
                || smtp.getRawUserInfo() != null
                || !smtp.getRawPath().isEmpty()
                || smtp.getRawQuery() != null) {
            return Optional.of("the address of a mail server must be a host and a port, such as"
                    + " smtps://mail.example.org:465; write the user and the password as 'user' and 'password'");
        }
        return Optional.empty();
    }

    String host() {
        return smtp.getHost();
    }

    boolean hasImplicitTls() {
        return "smtps".equalsIgnoreCase(smtp.getScheme());
    }

    int port() {
        if (smtp.getPort() > 0) {
            return smtp.getPort();
        }
        return hasImplicitTls() ? SMTPS_PORT : SUBMISSION_PORT;
    }

    boolean isLoopback() {
        return LOOPBACK.contains(host().toLowerCase(Locale.ROOT));
    }
}
