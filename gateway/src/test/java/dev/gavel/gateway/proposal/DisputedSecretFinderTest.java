package dev.gavel.gateway.proposal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.RawPayload;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Warnings about arguments that are hidden on the word of a participant that may not run the call. */
class DisputedSecretFinderTest {
    private static final RawPayload CALL = RawPayload.of(
            "{\"method\":\"tools/call\",\"params\":{\"name\":\"t\",\"arguments\":{\"path\":\"x\",\"db\":{\"pin\":\"1\"}}}}"
                    .getBytes(StandardCharsets.UTF_8));
    private static final SecretArgumentPatterns PATH = SecretArgumentPatterns.of(List.of("path"));
    private static final SecretArgumentPatterns PIN = SecretArgumentPatterns.of(List.of("pin"));

    private static List<String> warnings(
            SecretArgumentPatterns configured, Map<String, SecretArgumentPatterns> schemas, String... runners) {
        return new DisputedSecretFinder(configured, PATH.union(PIN), schemas).warnings(CALL, List.of(runners));
    }

    @Test
    void anArgumentThatOnlyOneOfThePossibleRunnersMarksIsDisputed() {
        assertThat(warnings(PIN, Map.of("srv", PATH), "files", "srv"))
                .containsExactly("path is hidden because srv marks it as secret, but files, which could run the call,"
                        + " does not: reveal the value before you approve");
    }

    @Test
    void anArgumentThatTheRunnerItselfMarksIsNotDisputed() {
        assertThat(warnings(PIN, Map.of("srv", PATH), "srv")).isEmpty();
        assertThat(warnings(
                        SecretArgumentPatterns.NONE,
                        Map.of("srv", PATH.union(PIN), "files", PATH.union(PIN)),
                        "srv",
                        "files"))
                .isEmpty();
    }

    @Test
    void anArgumentThatTheConfigurationHidesIsNotDisputed() {
        assertThat(warnings(PATH.union(PIN), Map.of(), "files")).isEmpty();
    }

    @Test
    void argumentsThatAreDisputedInTheSameWayShareAWarning() {
        assertThat(warnings(SecretArgumentPatterns.NONE, Map.of(), "files", "disk"))
                .containsExactly(
                        "path, db.pin is hidden because an earlier definition of the tool marks it as secret, but"
                                + " files and disk, which could run the call, do not: reveal the value before you approve");
    }
}
