package dev.gavel.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.web.oauth.TrustedIssuer;
import dev.gavel.yaml.ProblemCollector;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IssuerConfigReaderTest {
    private final ProblemCollector problemCollector = new ProblemCollector();
    private final ProblemCollector warnings = new ProblemCollector();

    private ServerConfig read(String listen, String issuers, Map<String, String> environment) {
        return new ConfigFileReader(environment::get, problemCollector, warnings)
                .read("gavel.yaml", """
                listen: %s
                issuers: %s
                identities:
                  alice: {token: alice-0123456789abcdef, roles: [admin]}
                  robot: {}
                topics:
                  ops:
                    participants:
                      alice: ["*"]
                      robot: ["mcp.proposal.*"]
                """.formatted(listen, issuers));
    }

    private ServerConfig read(String issuers) {
        return read("127.0.0.1:0", issuers, Map.of());
    }

    private String problem(String issuers) {
        read(issuers);
        assertThat(problemCollector.list()).hasSize(1);
        return problemCollector.list().getFirst().toString();
    }

    @Test
    void anIssuerNeedsOnlyItsUrl() {
        assertThat(read("[{url: \"https://login.example.org/realms/one\"}]").issuers())
                .containsExactly(new TrustedIssuer("https://login.example.org/realms/one", Optional.empty(), "sub"));
        assertThat(problemCollector.list()).isEmpty();
        assertThat(warnings.list()).isEmpty();
    }

    @Test
    void theUrlStaysExactlyAsItIsWritten() {
        assertThat(read("[{url: \"https://login.example.org/\", audience: gavel, identity: client_id}]")
                        .issuers())
                .containsExactly(new TrustedIssuer("https://login.example.org/", Optional.of("gavel"), "client_id"));
    }

    @Test
    void withoutTheSectionThereAreNoIssuers() {
        assertThat(read("[]").issuers()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://localhost:8080", "http://127.0.0.1:8080/a", "http://[::1]:8080"})
    void anIssuerOnThisMachineNeedsNoHttps(String url) {
        assertThat(read("[{url: \"" + url + "\"}]").issuers()).hasSize(1);
        assertThat(problemCollector.list()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "http://login.example.org, must use https",
        "http://127.0.0.1.example.org, must use https",
        "https://login.example.org?tenant=1, must not contain",
        "https://login.example.org#x, must not contain",
        "https://user@login.example.org, must not contain",
        "login.example.org, must be a URL",
        "ftp://login.example.org, must be a URL",
        "https://, must be a URL"
    })
    void anUnsuitableUrlIsRefused(String url, String reason) {
        assertThat(problem("[{url: \"" + url + "\"}]"))
                .startsWith("gavel.yaml:2:")
                .contains("'url' of an issuer", reason);
    }

    @Test
    void otherMistakesAreReported() {
        assertThat(problem("[{audience: gavel}]")).contains("url");
    }

    @Test
    void anUnknownSettingIsReported() {
        assertThat(problem("[{url: \"https://login.example.org\", audiance: x}]"))
                .contains("audiance", "audience");
    }

    @Test
    void anEmptyClaimIsRefused() {
        assertThat(problem("[{url: \"https://login.example.org\", identity: \"\"}]"))
                .contains("'identity' of an issuer must not be empty");
    }

    @Test
    void anIssuerThatIsListedTwiceIsRefused() {
        assertThat(problem("[{url: \"https://login.example.org\"}, {url: \"https://login.example.org\"}]"))
                .contains("listed twice");
    }

    @Test
    void anUncertainAudienceIsAProblemOfAServerThatIsReachedFromElsewhere() {
        String issuers = "[{url: \"https://login.example.org\"}]";
        ServerConfig config = read("0.0.0.0:4285", issuers, Map.of());
        assertThat(config.audienceProblem().orElseThrow()).contains("'publicUrl'", "'audience'");
        assertThat(warnings.list().toString()).contains("'publicUrl'");
        assertThat(config.withPublicUrl(URI.create("https://gavel.example.org")).audienceProblem())
                .isEmpty();
        assertThat(config.withPublicUrl(URI.create("http://gavel.localhost:4285"))
                        .audienceProblem())
                .isPresent();
        assertThat(read("0.0.0.0:4285", "[{url: \"https://login.example.org\", audience: gavel}]", Map.of())
                        .audienceProblem())
                .isEmpty();
    }

    @Test
    void theVariableOfThePublicUrlPreventsTheWarning() {
        read(
                "0.0.0.0:4285",
                "[{url: \"https://login.example.org\"}]",
                Map.of("GAVEL_PUBLIC_URL", "https://gavel.example.org"));
        assertThat(List.copyOf(warnings.list())).isEmpty();
    }
}
