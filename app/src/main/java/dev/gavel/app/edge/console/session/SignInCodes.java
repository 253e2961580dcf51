package dev.gavel.app.edge.console.session;

import dev.gavel.app.identity.TokenFiles;
import dev.gavel.app.identity.TokenHash;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Codes in links that sign somebody in, once and for a while. Only their hashes are kept. Thread-safe. */
public final class SignInCodes {
    /** How long a code is good. */
    public static final Duration GOOD_FOR = Duration.ofHours(1);

    private static final int MOST = 100;

    private final InstantSource clock;

    /** The oldest first. */
    private final Map<TokenHash, Pass> passes = new LinkedHashMap<>();

    private record Pass(TokenHash token, Instant until) {}

    public SignInCodes(InstantSource clock) {
        this.clock = clock;
    }

    /** A new code, which signs in as if with that token. */
    public synchronized String issue(TokenHash token) {
        String code = TokenFiles.create().substring("gvl_".length());
        if (passes.size() == MOST) {
            passes.remove(passes.keySet().iterator().next());
        }
        passes.put(TokenHash.of(code), new Pass(token, clock.instant().plus(GOOD_FOR)));
        return code;
    }

    /** What a code stands for; it is of no use any more afterwards. */
    synchronized Optional<TokenHash> redeem(String code) {
        return Optional.ofNullable(passes.remove(TokenHash.of(code)))
                .filter(pass -> clock.instant().isBefore(pass.until()))
                .map(Pass::token);
    }
}
