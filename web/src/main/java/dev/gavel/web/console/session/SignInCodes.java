package dev.gavel.web.console.session;

import dev.gavel.web.identity.InitialTokenFiles;
import dev.gavel.web.identity.SessionSigningKey;
import dev.gavel.web.identity.TokenHash;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Issues and redeems the one-time codes of sign-in links. Only the hashes of codes are stored. If several processes
 * serve the same console, a link may lead to another process than the one that issued it. In that case a code contains
 * the token's hash, sealed, and is valid for a shorter time. Thread-safe.
 */
public final class SignInCodes {
    /** How long a code is valid. */
    public static final Duration VALIDITY = Duration.ofHours(1);

    /**
     * How long a code is valid that every process accepts. Each process accepts it once, and cannot know whether
     * another process has accepted it.
     */
    static final Duration SHARED_VALIDITY = Duration.ofMinutes(10);

    private static final int MAX_CODES = 100;
    private static final int PARTS = 4;
    private static final String PURPOSE = "sign-in";

    private final InstantSource clock;
    private final Optional<SessionSigningKey> shared;

    /** The codes that can be redeemed and, of shared codes, those that were redeemed; oldest first. */
    private final Map<TokenHash, IssuedCode> codes = new LinkedHashMap<>();

    private record IssuedCode(TokenHash token, Instant until) {}

    /** Creates codes that only this process accepts. */
    public SignInCodes(InstantSource clock) {
        this(clock, Optional.empty());
    }

    /**
     * Creates codes that other processes also accept if they share a key.
     *
     * @param shared the key that all these processes have
     */
    public SignInCodes(InstantSource clock, Optional<SessionSigningKey> shared) {
        this.clock = clock;
        this.shared = shared;
    }

    /** How long a code is valid, as text. */
    String validityText() {
        return shared.isPresent() ? "ten minutes" : "an hour";
    }

    /** Issues a code that signs a user in as this token does. */
    public String issue(TokenHash token) {
        String randomPart = InitialTokenFiles.newToken().substring("gvl_".length());
        if (shared.isEmpty()) {
            store(randomPart, new IssuedCode(token, clock.instant().plus(VALIDITY)));
            return randomPart;
        }
        String text = token.hex() + "." + clock.instant().plus(SHARED_VALIDITY).getEpochSecond() + "." + randomPart;
        return text + "." + shared.get().sign(PURPOSE, text);
    }

    private synchronized boolean store(String code, IssuedCode issuedCode) {
        if (codes.size() == MAX_CODES) {
            codes.remove(codes.keySet().iterator().next());
        }
        return codes.put(TokenHash.of(code), issuedCode) == null;
    }

    /** Returns the token that a code stands for, and invalidates the code. */
    Optional<TokenHash> redeem(String code) {
        return (shared.isPresent() ? verifySealed(code, shared.get()) : removeStored(code))
                .filter(issuedCode -> clock.instant().isBefore(issuedCode.until()))
                .map(IssuedCode::token);
    }

    private synchronized Optional<IssuedCode> removeStored(String code) {
        return Optional.ofNullable(codes.remove(TokenHash.of(code)));
    }

    /** Parses the code only if its seal is valid. */
    private Optional<IssuedCode> verifySealed(String code, SessionSigningKey key) {
        String[] parts = code.split("\\.", -1);
        if (parts.length != PARTS) {
            return Optional.empty();
        }
        String text = code.substring(0, code.lastIndexOf('.'));
        byte[] right = key.sign(PURPOSE, text).getBytes(StandardCharsets.UTF_8);
        if (!MessageDigest.isEqual(right, parts[PARTS - 1].getBytes(StandardCharsets.UTF_8))) {
            return Optional.empty();
        }
        return TokenHash.parse(parts[0])
                .map(token -> new IssuedCode(token, Instant.ofEpochSecond(Long.parseLong(parts[1]))))
                .filter(issuedCode -> store(code, issuedCode));
    }
}
