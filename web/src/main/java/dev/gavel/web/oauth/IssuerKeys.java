package dev.gavel.web.oauth;

import com.nimbusds.jose.jwk.JWKSet;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Caches the keys of an issuer. They are fetched when the first token arrives, when they are older than
 * {@link #MAX_AGE}, and when a token names an unknown key; but not more often than every {@link #MIN_INTERVAL}, so that
 * clients cannot make this server send many requests. Calls can block while keys are fetched. Thread-safe.
 */
final class IssuerKeys {
    /** How long keys are used before they are fetched again. A key that the issuer removes is accepted as long. */
    static final Duration MAX_AGE = Duration.ofMinutes(5);

    /** How long keys are used if the issuer is unavailable. */
    static final Duration MAX_AGE_DURING_OUTAGE = Duration.ofHours(1);

    /** The minimum time between two fetches, successful or not. */
    static final Duration MIN_INTERVAL = Duration.ofSeconds(10);

    private static final Logger log = LoggerFactory.getLogger(IssuerKeys.class);

    /** Fetches the current keys. */
    @FunctionalInterface
    interface KeySource {
        JWKSet fetch() throws IssuerUnavailableException;
    }

    /**
     * The keys of one fetch.
     *
     * @param number counts the successful fetches
     */
    record FetchedKeys(JWKSet keys, Instant at, long number) {}

    private final String issuer;
    private final KeySource keySource;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable FetchedKeys latest;

    /** When the last fetch began. Guarded by the lock, as the next field. */
    private Instant lastFetch = Instant.EPOCH;

    /** Why the last fetch failed; empty if it succeeded. */
    private Optional<String> problem = Optional.empty();

    IssuerKeys(String issuer, KeySource keySource, InstantSource clock) {
        this.issuer = issuer;
        this.keySource = keySource;
        this.clock = clock;
    }

    /** Returns keys that are recent enough to verify a token. */
    FetchedKeys current() throws IssuerUnavailableException {
        FetchedKeys known = latest;
        if (known != null && isNewerThan(MAX_AGE, known)) {
            return known;
        }
        if (known != null && lock.isLocked() && isNewerThan(MAX_AGE_DURING_OUTAGE, known)) {
            // Another thread fetches them, and the issuer may hang.
            return known;
        }
        try {
            return newerThan(known);
        } catch (IssuerUnavailableException e) {
            if (known != null && isNewerThan(MAX_AGE_DURING_OUTAGE, known)) {
                return known;
            }
            throw e;
        }
    }

    private boolean isNewerThan(Duration age, FetchedKeys fetchedKeys) {
        return isWithin(age, fetchedKeys.at(), clock.instant());
    }

    /** Whether a time is at most this long ago. A time in the future is not, because the clock was set back. */
    private static boolean isWithin(Duration age, Instant time, Instant now) {
        return !time.isAfter(now) && now.isBefore(time.plus(age));
    }

    /**
     * Fetches the keys, unless another thread did so in the meantime or the last fetch was a moment ago.
     *
     * @param seen the keys that are too old, or do not contain the key of a token; null if there are none
     */
    FetchedKeys newerThan(@Nullable FetchedKeys seen) throws IssuerUnavailableException {
        lock.lock();
        try {
            FetchedKeys known = latest;
            if (known != null && (seen == null || known.number() > seen.number())) {
                return known;
            }
            Instant now = clock.instant();
            if (isWithin(MIN_INTERVAL, lastFetch, now)) {
                if (known != null && problem.isEmpty()) {
                    return known;
                }
                throw new IssuerUnavailableException(problem.orElse("the keys are not known yet"));
            }
            lastFetch = now;
            return fetch(now, known == null ? 1 : known.number() + 1);
        } finally {
            lock.unlock();
        }
    }

    private FetchedKeys fetch(Instant now, long number) throws IssuerUnavailableException {
        try {
            FetchedKeys fetched = new FetchedKeys(keySource.fetch(), now, number);
            latest = fetched;
            problem.ifPresent(before -> log.atInfo()
                    .addKeyValue("issuer", issuer)
                    .log("The keys of the issuer {} can be fetched again.", issuer));
            problem = Optional.empty();
            return fetched;
        } catch (IssuerUnavailableException e) {
            if (problem.isEmpty()) {
                log.atWarn()
                        .addKeyValue("issuer", issuer)
                        .log(
                                "The keys of the issuer {} cannot be fetched, so its tokens cannot be checked: {}",
                                issuer,
                                e.getMessage());
            }
            problem = Optional.of(String.valueOf(e.getMessage()));
            throw e;
        }
    }
}
