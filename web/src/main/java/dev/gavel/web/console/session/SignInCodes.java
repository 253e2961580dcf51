package dev.gavel.web.console.session;

import dev.gavel.web.identity.InitialTokenFiles;
import dev.gavel.web.identity.SessionKey;
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
 * Issues and redeems the one-time codes of sign-in links. Only their hashes are kept. Where several processes serve the
 * same console, a link may lead to another than the one that made it: so there a code says itself, sealed, what it
 * stands for, and is good for a shorter while. Thread-safe.
 */
public final class SignInCodes {
    /** How long a code is good. */
    public static final Duration VALIDITY = Duration.ofHours(1);

    /** How long one is good that every process knows; each lets it in once, and cannot know whether another did. */
    static final Duration SHARED_VALIDITY = Duration.ofMinutes(10);

    private static final int MAX_CODES = 100;
    private static final int PARTS = 4;
    private static final String PURPOSE = "sign-in";

    private final InstantSource clock;
    private final Optional<SessionKey> shared;

    /** Those that can be used, and of shared ones those that were; the oldest first. */
    private final Map<TokenHash, IssuedCode> codes = new LinkedHashMap<>();

    private record IssuedCode(TokenHash token, Instant until) {}

    /** Codes that this process alone knows. */
    public SignInCodes(InstantSource clock) {
        this(clock, Optional.empty());
    }

    /**
     * Codes, of which other processes know too where they share a key.
     *
     * @param shared the key that all of them have
     */
    public SignInCodes(InstantSource clock, Optional<SessionKey> shared) {
        this.clock = clock;
        this.shared = shared;
    }

    /** How long a code is good, in words. */
    String validityText() {
        return shared.isPresent() ? "ten minutes" : "an hour";
    }

    /** A new code, which signs in as if with that token. */
    public String issue(TokenHash token) {
        String chance = InitialTokenFiles.newToken().substring("gvl_".length());
        if (shared.isEmpty()) {
            store(chance, new IssuedCode(token, clock.instant().plus(VALIDITY)));
            return chance;
        }
        String text = token.hex() + "." + clock.instant().plus(SHARED_VALIDITY).getEpochSecond() + "." + chance;
        return text + "." + shared.get().sign(PURPOSE, text);
    }

    private synchronized boolean store(String code, IssuedCode issuedCode) {
        if (codes.size() == MAX_CODES) {
            codes.remove(codes.keySet().iterator().next());
        }
        return codes.put(TokenHash.of(code), issuedCode) == null;
    }

    /** What a code stands for; it is of no use any more afterwards. */
    Optional<TokenHash> redeem(String code) {
        return (shared.isPresent() ? verifySealed(code, shared.get()) : removeStored(code))
                .filter(issuedCode -> clock.instant().isBefore(issuedCode.until()))
                .map(IssuedCode::token);
    }

    private synchronized Optional<IssuedCode> removeStored(String code) {
        return Optional.ofNullable(codes.remove(TokenHash.of(code)));
    }

    /** Only what is sealed is looked into. */
    private Optional<IssuedCode> verifySealed(String code, SessionKey key) {
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
