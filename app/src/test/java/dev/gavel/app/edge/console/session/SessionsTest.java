package dev.gavel.app.edge.console.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.identity.SessionKey;
import dev.gavel.app.identity.TokenHash;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionsTest {
    private static final TokenHash TOKEN = TokenHash.of("alice-0123456789abcdef");

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final Sessions sessions = new Sessions(SessionKey.passing(), () -> now);

    @Test
    void aCookieStandsForTheTokenThatWasShown() {
        Sessions.Session session = sessions.begin(TOKEN);
        assertThat(sessions.read(session.cookie())).contains(session);
        assertThat(session.token()).isEqualTo(TOKEN);
        assertThat(session.cookie()).doesNotContain("alice");
    }

    @Test
    void noLetterOfItCanBeChanged() {
        String cookie = sessions.begin(TOKEN).cookie();
        for (int i = 0; i < cookie.length(); i++) {
            char other = cookie.charAt(i) == 'a' ? 'b' : 'a';
            String forged = cookie.substring(0, i) + other + cookie.substring(i + 1);
            assertThat(sessions.read(forged)).as("letter %d", i).isEmpty();
        }
        assertThat(sessions.read(cookie + "a")).isEmpty();
        assertThat(sessions.read(cookie.substring(0, cookie.length() - 1))).isEmpty();
        assertThat(sessions.read(cookie.substring(0, cookie.lastIndexOf('.') + 1)))
                .isEmpty();
        assertThat(sessions.read("")).isEmpty();
        assertThat(sessions.read(null)).isEmpty();
        assertThat(sessions.read("1." + "x".repeat(10_000))).isEmpty();
    }

    @Test
    void oneThatWasEndedIsOverAndOthersOfTheSameTokenAreNot() {
        Sessions.Session mine = sessions.begin(TOKEN);
        Sessions.Session other = sessions.begin(TOKEN);
        sessions.end(mine);
        assertThat(sessions.read(mine.cookie())).isEmpty();
        assertThat(sessions.lasts(mine)).isFalse();
        assertThat(sessions.read(other.cookie())).contains(other);
    }

    @Test
    void anotherServersSessionIsNoneHere() {
        Sessions others = new Sessions(SessionKey.passing(), () -> now);
        assertThat(sessions.read(others.begin(TOKEN).cookie())).isEmpty();
    }

    @Test
    void itEnds() {
        String cookie = sessions.begin(TOKEN).cookie();
        now = now.plus(Sessions.LONGEST).minusSeconds(1);
        assertThat(sessions.read(cookie)).isPresent();
        now = now.plusSeconds(1);
        assertThat(sessions.read(cookie)).isEmpty();
    }

    @Test
    void aFormOfOneSessionIsNoneOfAnother() {
        Sessions.Session one = sessions.begin(TOKEN);
        Sessions.Session another = sessions.begin(TOKEN);
        assertThat(one.wrote(one.csrf())).isTrue();
        assertThat(one.wrote(another.csrf())).isFalse();
        assertThat(one.wrote(one.cookie().substring(one.cookie().lastIndexOf('.') + 1)))
                .isFalse();
        assertThat(one.wrote("")).isFalse();
        assertThat(one.wrote(null)).isFalse();
    }

    @Test
    void itOutlivesTheProcessWithTheKeyInTheDataDirectory(@TempDir Path data) throws Exception {
        String cookie =
                new Sessions(SessionKey.in(data), () -> now).begin(TOKEN).cookie();
        assertThat(new Sessions(SessionKey.in(data), () -> now).read(cookie)).isPresent();
        Files.writeString(data.resolve("session.key"), "short");
        assertThat(new Sessions(SessionKey.in(data), () -> now).read(cookie)).isEmpty();
    }

    @Test
    void aCodeIsGoodOnceAndForAWhile() {
        SignInCodes codes = new SignInCodes(() -> now);
        String code = codes.issue(TOKEN);
        assertThat(codes.redeem(code + "x")).isEmpty();
        assertThat(codes.redeem(code)).contains(TOKEN);
        assertThat(codes.redeem(code)).isEmpty();

        String late = codes.issue(TOKEN);
        now = now.plus(SignInCodes.GOOD_FOR);
        assertThat(codes.redeem(late)).isEmpty();
    }

    @Test
    void aCodeOfOneProcessIsGoodAtAnotherThatSharesItsKey() {
        byte[] secret = new byte[32];
        SignInCodes here = new SignInCodes(() -> now, Optional.of(SessionKey.shared(secret)));
        SignInCodes there = new SignInCodes(() -> now, Optional.of(SessionKey.shared(secret)));
        String code = here.issue(TOKEN);
        assertThat(there.redeem(code + "x")).isEmpty();
        assertThat(there.redeem(code.replaceFirst("^.", "f"))).isEmpty();
        assertThat(there.redeem(code)).contains(TOKEN);
        assertThat(there.redeem(code)).isEmpty();
        assertThat(new SignInCodes(() -> now, Optional.of(SessionKey.passing())).redeem(code))
                .isEmpty();

        String late = here.issue(TOKEN);
        now = now.plus(SignInCodes.SHARED_GOOD_FOR);
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
