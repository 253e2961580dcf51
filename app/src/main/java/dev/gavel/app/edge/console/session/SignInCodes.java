package dev.gavel.app.edge.console.session;

import dev.gavel.app.identity.SessionKey;
import dev.gavel.app.identity.TokenFiles;
import dev.gavel.app.identity.TokenHash;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Codes in links that sign somebody in, once and for a while. Only their hashes are kept. Where several processes serve the
 * same console, a link may lead to another than the one that made it: so there a code says itself, sealed, what it stands
 * for, and is good for a shorter while. Thread-safe.
 */
public final class SignInCodes {
    /** How long a code is good. */
    public static final Duration GOOD_FOR = Duration.ofHours(1);

    /** How long one is good that every process knows; each lets it in once, and cannot know whether another did. */
    static final Duration SHARED_GOOD_FOR = Duration.ofMinutes(10);

    private static final int MOST = 100;
    private static final int PARTS = 4;
    private static final String PURPOSE = "sign-in";

    private final InstantSource clock;
    private final Optional<SessionKey> shared;

    /** Those that can be used, and of shared ones those that were; the oldest first. */
    private final Map<TokenHash, Pass> passes = new LinkedHashMap<>();

    private record Pass(TokenHash token, Instant until) {}

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
    String goodFor() {
        return shared.isPresent() ? "ten minutes" : "an hour";
    }

    /** A new code, which signs in as if with that token. */
    public String issue(TokenHash token) {
        String chance = TokenFiles.create().substring("gvl_".length());
        if (shared.isEmpty()) {
            keep(chance, new Pass(token, clock.instant().plus(GOOD_FOR)));
            return chance;
        }
        String text = token.hex() + "." + clock.instant().plus(SHARED_GOOD_FOR).getEpochSecond() + "." + chance;
        return text + "." + shared.get().seal(PURPOSE, text);
    }

    private synchronized boolean keep(String code, Pass pass) {
        if (passes.size() == MOST) {
            passes.remove(passes.keySet().iterator().next());
        }
        return passes.put(TokenHash.of(code), pass) == null;
    }

    /** What a code stands for; it is of no use any more afterwards. */
    Optional<TokenHash> redeem(String code) {
        return (shared.isPresent() ? sealed(code, shared.get()) : kept(code))
                .filter(pass -> clock.instant().isBefore(pass.until()))
                .map(Pass::token);
    }

    private synchronized Optional<Pass> kept(String code) {
        return Optional.ofNullable(passes.remove(TokenHash.of(code)));
    }

    /** Only what is sealed is looked into. */
    private Optional<Pass> sealed(String code, SessionKey key) {
        String[] parts = code.split("\\.", -1);
        if (parts.length != PARTS) {
            return Optional.empty();
        }
        String text = code.substring(0, code.lastIndexOf('.'));
        byte[] right = key.seal(PURPOSE, text).getBytes(StandardCharsets.UTF_8);
        if (!MessageDigest.isEqual(right, parts[PARTS - 1].getBytes(StandardCharsets.UTF_8))) {
            return Optional.empty();
        }
        return TokenHash.parse(parts[0])
                .map(token -> new Pass(token, Instant.ofEpochSecond(Long.parseLong(parts[1]))))
                .filter(pass -> keep(code, pass));
    }
}
