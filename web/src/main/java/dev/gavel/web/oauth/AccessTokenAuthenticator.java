package dev.gavel.web.oauth;

import com.nimbusds.jwt.SignedJWT;
import dev.gavel.gateway.member.RevocableAccessGrant;
import dev.gavel.web.identity.AuthenticationResult.Authenticated;
import dev.gavel.web.identity.IdentityLookupResult;
import dev.gavel.web.identity.TokenHash;
import dev.gavel.web.oauth.AccessTokenResult.Accepted;
import dev.gavel.web.oauth.AccessTokenResult.IdentityRefused;
import dev.gavel.web.oauth.AccessTokenResult.InvalidToken;
import dev.gavel.web.oauth.AccessTokenResult.Unavailable;
import dev.gavel.web.oauth.VerificationResult.Invalid;
import dev.gavel.web.oauth.VerificationResult.Verified;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates MCP clients by access tokens (JWTs) of configured issuers. Remembers verified tokens: so a session
 * keeps the same grant, and the grant is revoked when the token expires or the identity loses its access. Thread-safe.
 */
public final class AccessTokenAuthenticator implements AutoCloseable {
    /** Below the limit of all headers of a request, 8 KiB. */
    static final int MAX_TOKEN_LENGTH = 7 * 1024;

    /** How long a token is accepted before its signature is verified again, because its key may have been removed. */
    static final Duration VERIFY_AGAIN_AFTER = IssuerKeys.MAX_AGE;

    /** How many tokens of one issuer are verified or wait for its keys at the same time. */
    private static final int MAX_PENDING_PER_ISSUER = 200;

    private static final int MAX_TOKENS = 20_000;
    private static final int MAX_TOKENS_PER_IDENTITY = 1_000;
    private static final Duration FETCH_TIMEOUT = Duration.ofSeconds(8);

    /** The clock is read at least this often, because it may be set and a machine may sleep. */
    private static final long MAX_TIMER_MILLIS = 30_000;

    private static final InvalidToken MALFORMED =
            new InvalidToken("the token is not known to Gavel and is not a signed JWT of an issuer");

    private final List<String> issuerUrls;
    private final Map<String, IssuerVerifier> verifiers = new HashMap<>();
    private final Function<String, IdentityLookupResult> identities;
    private final InstantSource clock;
    private final IssuerKeyClient keyClient = new IssuerKeyClient(FETCH_TIMEOUT);

    /** Verifies tokens, and blocks while keys are fetched. */
    private final ExecutorService verificationExecutor = Executors.newVirtualThreadPerTaskExecutor();

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("gavel-access-tokens").factory());

    /** The verified tokens by their hash, the oldest first. Guarded by itself, as the next map. */
    private final Map<TokenHash, VerifiedToken> tokens = new LinkedHashMap<>();

    private final Map<String, SequencedSet<TokenHash>> tokensByIdentity = new HashMap<>();

    private record IssuerVerifier(AccessTokenVerifier verifier, Semaphore permits) {}

    private record VerifiedToken(Verified content, Instant verifyAgainAt, RevocableAccessGrant grant) {}

    /**
     * Creates an authenticator. It fetches the keys of an issuer when the first of its tokens arrives.
     *
     * @param identities looks up an identity by its id, according to the latest configuration and revocations
     */
    public AccessTokenAuthenticator(
            List<TrustedIssuer> issuers, Function<String, IdentityLookupResult> identities, InstantSource clock) {
        this.issuerUrls = issuers.stream().map(TrustedIssuer::url).toList();
        this.identities = identities;
        this.clock = clock;
        issuers.forEach(issuer -> verifiers.put(
                issuer.url(),
                new IssuerVerifier(
                        new AccessTokenVerifier(
                                issuer, new IssuerKeys(issuer.url(), () -> keyClient.fetchKeys(issuer), clock), clock),
                        new Semaphore(MAX_PENDING_PER_ISSUER))));
    }

    /** The URLs of the issuers, in the order of the configuration. */
    public List<String> issuerUrls() {
        return issuerUrls;
    }

    /**
     * Authenticates a request. The result is complete at once if the token was verified a short time ago; otherwise it
     * is completed by another thread.
     *
     * @param token the token of the header {@code Authorization}
     * @param resource the URL of the requested resource, which is the audience if none is configured; empty if the URL
     *     is not certain
     */
    public CompletionStage<AccessTokenResult> authenticate(String token, Optional<String> resource) {
        if (token.length() > MAX_TOKEN_LENGTH) {
            return CompletableFuture.completedStage(
                    new InvalidToken("the token is longer than " + MAX_TOKEN_LENGTH + " characters"));
        }
        TokenHash hash = TokenHash.of(token);
        VerifiedToken known = find(hash);
        if (known != null && clock.instant().isBefore(known.verifyAgainAt())) {
            return CompletableFuture.completedStage(authenticateKnown(hash, known, resource));
        }
        SignedJWT jwt;
        Optional<IssuerVerifier> verifier;
        try {
            jwt = SignedJWT.parse(token);
            verifier = Optional.ofNullable(jwt.getJWTClaimsSet().getIssuer()).map(verifiers::get);
        } catch (ParseException e) {
            return CompletableFuture.completedStage(MALFORMED);
        }
        return verifier.map(ofIssuer -> verify(hash, jwt, ofIssuer, resource))
                .orElseGet(() -> CompletableFuture.completedStage(new InvalidToken(
                        "the issuer of the token (claim 'iss') is not listed under 'issuers' in the configuration")));
    }

    private CompletionStage<AccessTokenResult> verify(
            TokenHash hash, SignedJWT jwt, IssuerVerifier ofIssuer, Optional<String> resource) {
        if (!ofIssuer.permits().tryAcquire()) {
            return CompletableFuture.completedStage(
                    new Unavailable("too many tokens of this issuer are being checked; try again later"));
        }
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return switch (ofIssuer.verifier().verify(jwt)) {
                            case Verified verified ->
                                audienceProblem(verified, resource)
                                        .<AccessTokenResult>map(InvalidToken::new)
                                        .orElseGet(() -> lookupIdentity(hash, remember(hash, verified)));
                            case Invalid(String reason) -> {
                                forget(hash);
                                yield new InvalidToken(reason);
                            }
                        };
                    } catch (IssuerUnavailableException e) {
                        return new Unavailable("the keys of the token's issuer cannot be fetched, so the token cannot"
                                + " be checked; see the log of the server, or try again later");
                    } finally {
                        ofIssuer.permits().release();
                    }
                },
                verificationExecutor);
    }

    /** Checks what can have changed since the token was verified, or differs between requests. */
    private AccessTokenResult authenticateKnown(TokenHash hash, VerifiedToken token, Optional<String> resource) {
        if (!clock.instant().isBefore(token.content().expiresAt())) {
            forget(hash);
            return new InvalidToken("the token has expired");
        }
        return audienceProblem(token.content(), resource)
                .<AccessTokenResult>map(InvalidToken::new)
                .orElseGet(() -> lookupIdentity(hash, token));
    }

    private static Optional<String> audienceProblem(Verified content, Optional<String> resource) {
        Optional<String> audience = content.issuer().audience().or(() -> resource);
        if (audience.isEmpty()) {
            return Optional.of("the audience of the token cannot be checked, because the URL of this server is not"
                    + " certain; set 'publicUrl', or 'audience' of the issuer");
        }
        return content.audience().contains(audience.get())
                ? Optional.empty()
                : Optional.of("the token is for another audience; request a token for '" + audience.get() + "'");
    }

    /** Looks up the identity after the token is stored: so a concurrent revocation finds the token, or is seen here. */
    private AccessTokenResult lookupIdentity(TokenHash hash, VerifiedToken token) {
        return switch (identities.apply(token.content().identity())) {
            case IdentityLookupResult.Found(var identity) -> new Accepted(new Authenticated(identity, token.grant()));
            case IdentityLookupResult.Refused(String reason) -> {
                forget(hash);
                yield new IdentityRefused(reason);
            }
        };
    }

    private @Nullable VerifiedToken find(TokenHash hash) {
        synchronized (tokens) {
            return tokens.get(hash);
        }
    }

    /** Stores a verified token. A token that was stored before keeps its grant, and so its sessions. */
    private VerifiedToken remember(TokenHash hash, Verified content) {
        List<RevocableAccessGrant> evicted = new ArrayList<>();
        VerifiedToken stored;
        synchronized (tokens) {
            VerifiedToken before = tokens.get(hash);
            stored = new VerifiedToken(
                    content,
                    clock.instant().plus(VERIFY_AGAIN_AFTER),
                    before == null ? new RevocableAccessGrant() : before.grant());
            if (before == null) {
                evictIfFull(content.identity(), evicted);
                tokensByIdentity
                        .computeIfAbsent(content.identity(), key -> new LinkedHashSet<>())
                        .add(hash);
                scheduleExpiry(hash, content.expiresAt());
            }
            tokens.put(hash, stored);
        }
        evicted.forEach(RevocableAccessGrant::revoke);
        return stored;
    }

    /** Makes room. An identity with too many tokens loses one of its own, so that it cannot displace others. */
    private void evictIfFull(String identity, List<RevocableAccessGrant> evicted) {
        SequencedSet<TokenHash> own = tokensByIdentity.get(identity);
        TokenHash oldest = own != null && own.size() >= MAX_TOKENS_PER_IDENTITY
                ? own.getFirst()
                : tokens.size() >= MAX_TOKENS ? tokens.keySet().iterator().next() : null;
        if (oldest != null) {
            remove(oldest).ifPresent(removed -> evicted.add(removed.grant()));
        }
    }

    private Optional<VerifiedToken> remove(TokenHash hash) {
        VerifiedToken removed = tokens.remove(hash);
        if (removed != null) {
            tokensByIdentity.computeIfPresent(removed.content().identity(), (identity, hashes) -> {
                hashes.remove(hash);
                return hashes.isEmpty() ? null : hashes;
            });
        }
        return Optional.ofNullable(removed);
    }

    /** Forgets a token that is no longer accepted, and ends its sessions and connections. */
    private void forget(TokenHash hash) {
        Optional<VerifiedToken> removed;
        synchronized (tokens) {
            removed = remove(hash);
        }
        removed.ifPresent(token -> token.grant().revoke());
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it runs, or the process stops before
    private void scheduleExpiry(TokenHash hash, Instant expiresAt) {
        if (!timer.isShutdown()) {
            timer.schedule(
                    () -> expire(hash),
                    Math.clamp(clock.instant().until(expiresAt).toMillis() + 1, 1, MAX_TIMER_MILLIS),
                    TimeUnit.MILLISECONDS);
        }
    }

    private void expire(TokenHash hash) {
        VerifiedToken token = find(hash);
        if (token == null) {
            return;
        }
        Instant expiresAt = token.content().expiresAt();
        if (clock.instant().isBefore(expiresAt)) {
            scheduleExpiry(hash, expiresAt);
        } else {
            forget(hash);
        }
    }

    /** Ends the sessions and connections of identities that access tokens cannot authenticate any more. */
    public void onIdentitiesChanged() {
        List<String> active;
        synchronized (tokens) {
            active = List.copyOf(tokensByIdentity.keySet());
        }
        for (String identity : active) {
            if (identities.apply(identity) instanceof IdentityLookupResult.Refused) {
                List<TokenHash> own;
                synchronized (tokens) {
                    own = List.copyOf(tokensByIdentity.getOrDefault(identity, new LinkedHashSet<>()));
                }
                own.forEach(this::forget);
            }
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
        verificationExecutor.shutdownNow();
        keyClient.close();
    }
}
