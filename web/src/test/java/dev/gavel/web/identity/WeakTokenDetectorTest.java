package dev.gavel.web.identity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WeakTokenDetectorTest {
    private static String problem(String token) {
        return WeakTokenDetector.problem(token).orElse("none");
    }

    @ParameterizedTest
    @CsvSource({
        "${ALICE_TOKEN}, ALICE_TOKEN",
        "${env:ALICE_TOKEN}, ALICE_TOKEN",
        "${ALICE_TOKEN:-none}, ALICE_TOKEN",
        "$ALICE_TOKEN, ALICE_TOKEN",
        "{{ ALICE_TOKEN }}, ALICE_TOKEN",
        "%ALICE_TOKEN%, ALICE_TOKEN",
        "${X}, X",
    })
    void aVariableIsNotASecret(String token, String name) {
        assertThat(problem(token)).contains("write env:" + name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "changeme-changeme",
                "CHANGE_ME_PLEASE_1234",
                "your-token-here!!",
                "<insert your token here>",
                "[your bearer token]",
                "my-secret-token-1",
                "replace-this-token",
                "gvl_your_token_here",
                "placeholder-token",
            })
    void aPlaceholderIsNotASecret(String token) {
        assertThat(problem(token)).contains("is a placeholder").doesNotContain(token);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0000000000000000",
                "................",
                "abababababababababab",
                "pass1234pass1234pass1234",
                "1234567890123456",
                "abcdefghijklmnopqrstuvwxyz",
                "zyxwvutsrqponmlkj",
                "qwertyuiopasdfghjkl",
                "1qaz2wsx3edc4rfv",
                "Poiuytrewqlkjhgfdsa",
                "MySuperSecretToken1",
                "Summer2026!Summer",
                "correcthorsebattery",
                "correct-horse-battery-staple",
            })
    void aTextThatIsEasyToGuessIsNotASecret(String token) {
        assertThat(problem(token)).contains("easy to guess");
    }

    @ParameterizedTest
    @ValueSource(strings = {"alicealicealicealice1", "admin-token-for-alice", "Alice-Alice-Alice-1234"})
    void aTokenMadeOfItsOwnersNameIsNotASecret(String token) {
        assertThat(WeakTokenDetector.problem("dev-token-for-archer", "archer"))
                .hasValueSatisfying(problem -> assertThat(problem).contains("easy to guess"));
        assertThat(WeakTokenDetector.problem(token, "alice"))
                .hasValueSatisfying(problem -> assertThat(problem).contains("is a placeholder"));
        assertThat(WeakTokenDetector.problem("alice-0123456789abcdef", "alice")).isEmpty();
        assertThat(WeakTokenDetector.problem("9f86d081884c7d65", "42")).isEmpty();
    }

    @Test
    void aTokenWithThePrefixOfTheHeaderIsAMistake() {
        assertThat(problem("Bearer 3f9a0c5d7e1b2a4c6d8e")).contains("write only the token");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "changeme12345678", "password\n", "alice"})
    void theHashOfAPlaceholderIsNotASecret(String token) {
        assertThat(WeakTokenDetector.problem(TokenHash.of(token), "alice"))
                .hasValueSatisfying(problem -> assertThat(problem).contains("hash of an empty text"));
        assertThat(WeakTokenDetector.problem(TokenHash.of("9f86d081884c7d65"), "alice"))
                .isEmpty();
    }

    @Test
    void aShortTextIsNotASecret() {
        assertThat(problem("k3Jx9fQ")).contains("at least 16 random characters");
    }

    @Test
    void randomTokensAreSecrets() {
        for (int i = 0; i < 1000; i++) {
            assertThat(problem(InitialTokenFiles.newToken())).isEqualTo("none");
        }
        for (String token : new String[] {
            "9f86d081884c7d65", "vKq-zebrafish-Wtn-41-obelisk", "x5f1c9a0b7e3d2468ac", "alice-0123456789abcdef"
        }) {
            assertThat(problem(token)).as(token).isEqualTo("none");
        }
    }
}
