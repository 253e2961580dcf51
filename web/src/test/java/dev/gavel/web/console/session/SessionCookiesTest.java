package dev.gavel.web.console.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.client.http.ListenAddress;
import dev.gavel.web.http.ConsoleHost;
import dev.gavel.web.identity.SessionSigningKey;
import dev.gavel.web.identity.TokenHash;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionCookiesTest {
    private static final TokenHash TOKEN = TokenHash.of("alice-0123456789abcdef");

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final SessionCookies sessionCookies =
            new SessionCookies(SessionSigningKey.ephemeral(), host("gavel-here"), () -> now);

    @Test
    void aCookieStandsForTheTokenThatWasShown() {
        SessionCookies.ConsoleSession session = sessionCookies.create(TOKEN);
        assertThat(sessionCookies.read(session.cookie())).contains(session);
        assertThat(session.token()).isEqualTo(TOKEN);
        assertThat(session.cookie()).doesNotContain("alice");
    }

    @Test
    void noLetterOfItCanBeChanged() {
        String cookie = sessionCookies.create(TOKEN).cookie();
        for (int i = 0; i < cookie.length(); i++) {
            char other = cookie.charAt(i) == 'a' ? 'b' : 'a';
            String forged = cookie.substring(0, i) + other + cookie.substring(i + 1);
            assertThat(sessionCookies.read(forged)).as("letter %d", i).isEmpty();
        }
        assertThat(sessionCookies.read(cookie + "a")).isEmpty();
        assertThat(sessionCookies.read(cookie.substring(0, cookie.length() - 1)))
                .isEmpty();
        assertThat(sessionCookies.read(cookie.substring(0, cookie.lastIndexOf('.') + 1)))
                .isEmpty();
        assertThat(sessionCookies.read("")).isEmpty();
        assertThat(sessionCookies.read(null)).isEmpty();
        assertThat(sessionCookies.read("1." + "x".repeat(10_000))).isEmpty();
    }

    @Test
    void oneThatWasEndedIsOverAndOthersOfTheSameTokenAreNot() {
        SessionCookies.ConsoleSession mine = sessionCookies.create(TOKEN);
        SessionCookies.ConsoleSession other = sessionCookies.create(TOKEN);
        sessionCookies.end(mine);
        assertThat(sessionCookies.read(mine.cookie())).isEmpty();
        assertThat(sessionCookies.isActive(mine)).isFalse();
        assertThat(sessionCookies.read(other.cookie())).contains(other);
    }

    @Test
    void anotherServersSessionIsNoneHere() {
        SessionCookies others = new SessionCookies(SessionSigningKey.ephemeral(), host("gavel-here"), () -> now);
        assertThat(sessionCookies.read(others.create(TOKEN).cookie())).isEmpty();
    }

    @Test
    void aSessionOfAnotherHostIsNotAccepted() {
        SessionSigningKey key = SessionSigningKey.ephemeral();
        SessionCookies here = new SessionCookies(key, host("gavel-here"), () -> now);
        SessionCookies there = new SessionCookies(key, host("gavel-there"), () -> now);
        assertThat(there.read(here.create(TOKEN).cookie())).isEmpty();
    }

    private static ConsoleHost host(String name) {
        return new ConsoleHost(ListenAddress.DEFAULT, Optional.empty(), () -> name);
    }

    @Test
    void itEnds() {
        String cookie = sessionCookies.create(TOKEN).cookie();
        now = now.plus(SessionCookies.MAX_AGE).minusSeconds(1);
        assertThat(sessionCookies.read(cookie)).isPresent();
        now = now.plusSeconds(1);
        assertThat(sessionCookies.read(cookie)).isEmpty();
    }

    @Test
    void aFormOfOneSessionIsNoneOfAnother() {
        SessionCookies.ConsoleSession one = sessionCookies.create(TOKEN);
        SessionCookies.ConsoleSession another = sessionCookies.create(TOKEN);
        assertThat(one.matchesCsrf(one.csrf())).isTrue();
        assertThat(one.matchesCsrf(another.csrf())).isFalse();
        assertThat(one.matchesCsrf(one.cookie().substring(one.cookie().lastIndexOf('.') + 1)))
                .isFalse();
        assertThat(one.matchesCsrf("")).isFalse();
        assertThat(one.matchesCsrf(null)).isFalse();
    }

    @Test
    void itOutlivesTheProcessWithTheKeyInTheDataDirectory(@TempDir Path data) throws Exception {
        String cookie = new SessionCookies(SessionSigningKey.inDirectory(data), host("gavel-here"), () -> now)
                .create(TOKEN)
                .cookie();
        assertThat(new SessionCookies(SessionSigningKey.inDirectory(data), host("gavel-here"), () -> now).read(cookie))
                .isPresent();
        Files.writeString(data.resolve("session.key"), "short");
        assertThat(new SessionCookies(SessionSigningKey.inDirectory(data), host("gavel-here"), () -> now).read(cookie))
                .isEmpty();
    }

    @Test
    void aCodeIsGoodOnceAndForAWhile() {
        SignInCodes codes = new SignInCodes(() -> now);
        String code = codes.issue(TOKEN);
        assertThat(codes.redeem(code + "x")).isEmpty();
        assertThat(codes.redeem(code)).contains(TOKEN);
        assertThat(codes.redeem(code)).isEmpty();

        String late = codes.issue(TOKEN);
        now = now.plus(SignInCodes.VALIDITY);
        assertThat(codes.redeem(late)).isEmpty();
    }

    @Test
    void aCodeOfOneProcessIsGoodAtAnotherThatSharesItsKey() {
        byte[] secret = new byte[32];
        SignInCodes here = new SignInCodes(() -> now, Optional.of(SessionSigningKey.shared(secret)));
        SignInCodes there = new SignInCodes(() -> now, Optional.of(SessionSigningKey.shared(secret)));
        String code = here.issue(TOKEN);
        assertThat(there.redeem(code + "x")).isEmpty();
        assertThat(there.redeem(code.replaceFirst("^.", "f"))).isEmpty();
        assertThat(there.redeem(code)).contains(TOKEN);
        assertThat(there.redeem(code)).isEmpty();
        assertThat(new SignInCodes(() -> now, Optional.of(SessionSigningKey.ephemeral())).redeem(code))
                .isEmpty();

        String late = here.issue(TOKEN);
        now = now.plus(SignInCodes.SHARED_VALIDITY);
        assertThat(there.redeem(late)).isEmpty();
    }

    @Test
    void onlySoManyCodesAreKept() {
        SignInCodes codes = new SignInCodes(() -> now);
        String first = codes.issue(TOKEN);
        for (int i = 0; i < 100; i++) {
            codes.issue(TOKEN);
        }
        now = now.plus(Duration.ofSeconds(1));
        assertThat(codes.redeem(first)).isEmpty();
        assertThat(codes.redeem(codes.issue(TOKEN))).isPresent();
    }
}
