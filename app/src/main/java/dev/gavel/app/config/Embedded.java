package dev.gavel.app.config;

import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The parts that could also run elsewhere, and so far run only within the process. */
public enum Embedded {
    LEDGER("ledger", "GAVEL_LEDGER", "sqlite", "jdbc:postgresql:", "PostgreSQL"),
    BUS("bus", "GAVEL_BUS", "memory", "nats:", "NATS");

    private final String key;
    private final String variable;
    private final String only;
    private final String elsewhere;
    private final String product;

    Embedded(String key, String variable, String only, String elsewhere, String product) {
        this.key = key;
        this.variable = variable;
        this.only = only;
        this.elsewhere = elsewhere;
        this.product = product;
    }

    /** What it is called in the configuration. */
    String key() {
        return key;
    }

    /**
     * Why what is wanted cannot be had, if it cannot. The environment beats the file. The value is not repeated: an
     * address may hold a password.
     */
    public Optional<String> objection(Optional<String> written, Function<String, @Nullable String> environment) {
        Optional<String> set = Optional.ofNullable(environment.apply(variable)).filter(value -> !value.isBlank());
        String name = set.isPresent() ? variable : "'" + key + "'";
        return set.or(() -> written)
                .filter(value -> !value.equals(only))
                .map(value -> value.startsWith(elsewhere)
                        ? product + " is not supported yet: set " + name + " to " + only + " or leave it out"
                        : name + " must be " + only + ": nothing else is supported yet");
    }
}
