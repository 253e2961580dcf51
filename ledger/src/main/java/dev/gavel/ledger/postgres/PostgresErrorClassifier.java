package dev.gavel.ledger.postgres;

import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells what a PostgreSQL error means: retry possible, connection broken, transaction certainly rolled back, or event
 * reference already stored. Stateless.
 */
final class PostgresErrorClassifier {
    private static final String READ_ONLY = "25006";
    private static final String LOCK_NOT_AVAILABLE = "55P03";
    private static final String CANCELED = "57014";
    private static final String UNIQUE = "23505";
    private static final String DISK_FULL = "53100";
    private static final String TOO_MANY_CONNECTIONS = "53300";
    private static final String IDLE_IN_TRANSACTION = "25P03";

    /** The class of data errors, whose messages contain the offending value. */
    private static final String BAD_DATA = "22";

    /** Classes of temporary failures: connection errors, conflicts between transactions, operator intervention. */
    private static final Set<String> TRANSIENT_CLASSES = Set.of("08", "40", "57");

    private static final Set<String> TRANSIENT_STATES =
            Set.of(READ_ONLY, LOCK_NOT_AVAILABLE, TOO_MANY_CONNECTIONS, IDLE_IN_TRANSACTION);

    /** Classes of errors by which the server rejects a transaction: constraint violations and conflicts. */
    private static final Set<String> ROLLBACK_CLASSES = Set.of("23", "40");

    private PostgresErrorClassifier() {}

    /** Whether a retry of the same operation may succeed. */
    static boolean isTransient(SQLException failure) {
        String state = state(failure);
        return state == null || TRANSIENT_CLASSES.contains(state.substring(0, 2)) || TRANSIENT_STATES.contains(state);
    }

    /** Whether the connection cannot be used any more: it is broken, or it leads to a read-only database. */
    static boolean breaksConnection(SQLException failure) {
        String state = state(failure);
        return state == null
                || state.startsWith("08")
                || (state.startsWith("57") && !state.equals(CANCELED))
                || state.equals(READ_ONLY)
                || state.equals(IDLE_IN_TRANSACTION);
    }

    /**
     * Whether the server certainly did not commit. After any other failure during a commit the result is unknown: a
     * server that is shutting down may report that after it has committed.
     */
    static boolean isDefiniteRollback(SQLException failure) {
        String state = state(failure);
        return state != null && ROLLBACK_CLASSES.contains(state.substring(0, 2));
    }

    /** Whether the failure is that an event with this reference is already stored. */
    static boolean isDuplicateReference(SQLException failure) {
        SQLException each = failure;
        while (each != null) {
            if (UNIQUE.equals(each.getSQLState())
                    && String.valueOf(each.getMessage()).contains("event_by_reference")) {
                return true;
            }
            each = each.getNextException();
        }
        return false;
    }

    /**
     * Returns why a batch could not be written, for the submitters. It omits the database's message, which may contain
     * data of other participants.
     */
    static String reason(SQLException failure) {
        String state = state(failure);
        return knownReason(state).orElseGet(() -> "the ledger's database refused the write (SQLSTATE " + state + ")");
    }

    private static Optional<String> knownReason(@Nullable String state) {
        if (state == null || state.startsWith("08")) {
            return Optional.of("the ledger's database cannot be reached");
        }
        return Optional.ofNullable(
                switch (state) {
                    case DISK_FULL -> "the disk of the ledger's database is full";
                    case LOCK_NOT_AVAILABLE -> "another process has locked the ledger";
                    case CANCELED -> "the ledger's database took too long to respond";
                    case READ_ONLY -> "the ledger's database is read-only";
                    case TOO_MANY_CONNECTIONS -> "the ledger's database accepts no more connections";
                    case "57P01", "57P02", "57P03" -> "the ledger's database is shutting down or starting";
                    default -> null;
                });
    }

    /**
     * Returns the server's message about an unusual failure, for operators. Empty if the message could contain values
     * to be written, unless the URL enables such details.
     */
    static String detail(SQLException failure) {
        String state = state(failure);
        if (state == null || state.startsWith(BAD_DATA) || knownReason(state).isPresent()) {
            return "";
        }
        // For a batch, the first exception is the driver's; the server's message is in the next one.
        SQLException each = failure;
        while (each instanceof BatchUpdateException && each.getNextException() != null) {
            each = each.getNextException();
        }
        return String.valueOf(each.getMessage());
    }

    private static @Nullable String state(SQLException failure) {
        String state = failure.getSQLState();
        Throwable cause = failure.getCause();
        if (state == null && cause instanceof SQLException inner) {
            return state(inner);
        }
        return state == null || state.length() < 5 ? null : state;
    }
}
