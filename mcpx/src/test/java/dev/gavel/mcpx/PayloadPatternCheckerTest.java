package dev.gavel.mcpx;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which payload patterns are reported as mistakes. */
class PayloadPatternCheckerTest {
    private static final String CALL = "mcp.request.tools/call:read_*";

    private static PayloadPattern path(String text) {
        return params("arguments", fields("path", new PayloadPattern.Text(text)));
    }

    private static PayloadPattern params(String name, PayloadPattern pattern) {
        return fields("params", fields(name, pattern));
    }

    private static PayloadPattern fields(String name, PayloadPattern pattern) {
        return new PayloadPattern.Fields(Map.of(name, pattern));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "! /etc/*",
                "!/etc/* ",
                "!{/etc,/root}/*",
                "!/etc/*|/root/*",
                "!!x",
                "!/etc/passw?",
            })
    void aNegationThatForbidsNothingIsAnError(String text) {
        assertThat(PayloadPatternChecker.findError(path(text)))
                .hasValueSatisfying(problem -> assertThat(problem)
                        .startsWith("'" + text + "'")
                        .endsWith("So it would allow what it seems to forbid."));
        assertThat(PayloadPatternChecker.findError(params(
                        "arguments", fields("path", new PayloadPattern.AnyOf(List.of(new PayloadPattern.Text(text)))))))
                .isPresent();
    }

    @Test
    void aListWithTwoNegationsIsAnErrorBecauseItMatchesEverything() {
        assertThat(PayloadPatternChecker.findError(anyPath("!/etc/*", "!/root/*")))
                .hasValueSatisfying(problem ->
                        assertThat(problem).contains("'!/etc/*' and '!/root/*'").contains("match every value"));
        assertThat(PayloadPatternChecker.findError(anyPath("!/etc/*", "/etc/hosts")))
                .isEmpty();
    }

    private static PayloadPattern anyPath(String... texts) {
        return params(
                "arguments",
                fields(
                        "path",
                        new PayloadPattern.AnyOf(Stream.of(texts)
                                .<PayloadPattern>map(PayloadPattern.Text::new)
                                .toList())));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"!/etc/*", "!x y", "!*|*", "!*?*", "!{*", "!*}", "!https://example.org/?q=*", "/etc/*|/root/*"})
    void aNegationThatForbidsWhatItSaysIsValid(String text) {
        assertThat(PayloadPatternChecker.findError(path(text))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {" /tmp/*", "{/tmp,/var}/*", "/tmp/*|/var/*", "/tmp/?"})
    void aTextThatProbablyMatchesNothingHasAWarning(String text) {
        assertThat(PayloadPatternChecker.findError(path(text))).isEmpty();
        assertThat(PayloadPatternChecker.findWarning(CALL, path(text))).isPresent();
    }

    @Test
    void unknownFieldsOfACallHaveAWarning() {
        PayloadPattern any = new PayloadPattern.Text("*");
        assertThat(PayloadPatternChecker.findWarning(CALL, fields("param", any)))
                .hasValueSatisfying(problem -> assertThat(problem).contains("Did you mean 'params'?"));
        assertThat(PayloadPatternChecker.findWarning(CALL, params("args", any)))
                .hasValueSatisfying(problem -> assertThat(problem).contains("has no field 'args'", "arguments"));
        assertThat(PayloadPatternChecker.findWarning("acme.job.start", fields("param", any)))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"write_x, true", "read_x, false", "*_x, false", "!read_x, false", "read_*, false"})
    void aNameThatContradictsTheKindHasAWarning(String name, boolean warned) {
        assertThat(PayloadPatternChecker.findWarning(CALL, params("name", new PayloadPattern.Text(name)))
                        .isPresent())
                .isEqualTo(warned);
    }

    @Test
    void anAdminCannotEnterANegationThatForbidsNothing() {
        byte[] json =
                "[{\"kind\":\"mcp.request.tools/call\",\"payload\":{\"params\":{\"arguments\":{\"path\":\"! /etc/*\"}}}}]"
                        .getBytes(StandardCharsets.UTF_8);
        assertThat(CapabilitySet.fromAdmin(json)).isInstanceOf(ValueParseResult.Invalid.class);
        // Capabilities that an earlier version stored can still be read.
        assertThat(CapabilitySet.fromJson(json)).isInstanceOf(ValueParseResult.Valid.class);
    }
}
