package dev.gavel.app.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.config.BusConfig;
import dev.gavel.app.config.ConfigFileReader;
import dev.gavel.app.config.LedgerConfig;
import dev.gavel.app.config.ServerConfig;
import dev.gavel.yaml.ProblemCollector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests the files in deploy/ against the program: what they refer to must exist, and related files must agree. */
class DeploymentFilesTest {
    private static final Path DEPLOY = Path.of("..", "deploy");
    private static final Path WEB = Path.of("..", "web", "src", "main");
    private static final Path COMPOSE = DEPLOY.resolve("compose");
    private static final Path BASE = DEPLOY.resolve("kubernetes").resolve("base");

    /** The locations of the ledger and the bus, which environment variables set although they are not secrets. */
    private static final Set<String> PLACES = Set.of("GAVEL_LEDGER", "GAVEL_BUS");

    private static String text(Path file) throws IOException {
        return Files.readString(file);
    }

    private static Set<String> all(String pattern, String text) {
        return Pattern.compile(pattern, Pattern.MULTILINE)
                .matcher(text)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The secrets that deploy/compose/secrets creates. */
    private static Set<String> secrets() throws IOException {
        String names = all("^for name in (.*); do$", text(COMPOSE.resolve("secrets"))).stream()
                .findFirst()
                .orElseThrow();
        return new TreeSet<>(Arrays.asList(names.split(" ")));
    }

    private static Set<String> union(Set<String> some, Set<String> more) {
        return Stream.of(some, more).flatMap(Set::stream).collect(Collectors.toCollection(TreeSet::new));
    }

    /** The lines of a mapping, which are indented more than its key. */
    private static String block(String text, String key) {
        List<String> lines = text.lines().toList();
        int begin = 0;
        while (!lines.get(begin).strip().equals(key)) {
            begin++;
        }
        int depth = indent(lines.get(begin));
        return lines.stream()
                .skip(begin + 1L)
                .takeWhile(line -> line.isBlank() || indent(line) > depth)
                .collect(Collectors.joining("\n"));
    }

    private static int indent(String line) {
        return line.length() - line.stripLeading().length();
    }

    @Test
    void theConfigurationsAreSoundWithTheSecretsThatAreMade() throws Exception {
        Set<String> secrets = secrets();
        for (Path file : List.of(COMPOSE.resolve("gavel.yaml"), BASE.resolve("gavel.yaml"))) {
            ProblemCollector problemCollector = new ProblemCollector();
            ServerConfig config = new ConfigFileReader(
                            name -> secrets.contains(name) ? "3f9ac1d27b58e046" + name : null, problemCollector)
                    .read(file.toString(), text(file));
            assertThat(problemCollector.list()).isEmpty();
            assertThat(config.ledger()).isInstanceOf(LedgerConfig.Postgres.class);
            assertThat(config.bus()).isInstanceOf(BusConfig.Nats.class);
            assertThat(all("\"env:(\\w+)\"", text(file))).isEqualTo(secrets);
        }
    }

    @Test
    void everyWayToRunGatewaysGivesThemTheSameEnvironment() throws Exception {
        Set<String> requiredNames = union(secrets(), PLACES);
        String compose = text(COMPOSE.resolve("compose.yaml"));
        assertThat(all("^ +(\\w+): ", block(compose, "environment:")))
                .isEqualTo(union(requiredNames, Set.of("GAVEL_LOG", "GAVEL_PUBLIC_URL")));
        String secret = text(DEPLOY.resolve("kubernetes").resolve("secret.example.yaml"));
        assertThat(all("^ +(\\w+): ", block(secret, "stringData:"))).isEqualTo(requiredNames);
        String trial = text(DEPLOY.resolve("kubernetes").resolve("trial").resolve("kustomization.yaml"));
        assertThat(all("- (\\w+)=", trial)).isEqualTo(new TreeSet<>(PLACES));
    }

    @Test
    void probesAskForPathsThatThereAre() throws Exception {
        Set<String> known = all("^ *\"(/health/\\w+)\": *\\{", text(WEB.resolve("resources/openapi.json")));
        assertThat(known).containsExactly("/health/live", "/health/ready");
        assertThat(all("(/health/\\w+)", text(BASE.resolve("deployment.yaml")))).isEqualTo(known);
        assertThat(all("(/health/\\w+)", text(COMPOSE.resolve("haproxy.cfg")))).isEqualTo(known);
    }

    @Test
    void theImageAndWhatRunsItAgree() throws Exception {
        String image = text(DEPLOY.resolve("image").resolve("pom.xml"));
        String deployment = text(BASE.resolve("deployment.yaml"));
        assertThat(all("<port>(\\d+)</port>", image)).isEqualTo(all("containerPort: (\\d+)", deployment));
        assertThat(all("<user>(\\d+):\\d+</user>", image)).isEqualTo(all("runAsUser: (\\d+)", deployment));
        assertThat(all("<workingDirectory>(.*)</workingDirectory>", image))
                .isEqualTo(all("configuration, mountPath: ([^,]+)", deployment));
        assertThat(all("<GAVEL_DATA>(.*)</GAVEL_DATA>", image))
                .isEqualTo(all("name: data, mountPath: ([^}]+)}", deployment));
        String version = all("<version>(.*-SNAPSHOT|\\d[\\d.]*)</version>", text(Path.of("..", "pom.xml"))).stream()
                .findFirst()
                .orElseThrow();
        assertThat(all("<version>(.*-SNAPSHOT)</version>", image)).containsExactly(version);
        assertThat(all("newTag: (.*)", text(BASE.resolve("kustomization.yaml"))))
                .containsExactly(version);
    }

    @Test
    void theServiceRunsWhatTheBuildMakes() throws Exception {
        String unit = text(DEPLOY.resolve("systemd").resolve("gavel.service"));
        assertThat(all(
                        "/opt/gavel/([\\w.]+\\w)(?= |$)",
                        all("^ExecStart=(.*)$", unit).iterator().next()))
                .containsExactlyInAnyOrder("gavel.aot", "gavel.jar", "jvm.options", "native");
        assertThat(Path.of("src", "dist", "jvm.options")).exists();
        assertThat(Path.of("src", "dist", "gavel")).isExecutable();
    }

    /** The names of all metrics in the sources. */
    private static Set<String> metrics() throws IOException {
        Set<String> metricNames = new TreeSet<>();
        try (Stream<Path> files = Files.walk(WEB.resolve("java/dev/gavel/web/metrics"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                metricNames.addAll(all("\"((?:gavel|jvm|process)_\\w+)\"", text(file)));
            }
        }
        return metricNames;
    }

    @Test
    void theJobIsCalledAsTheAlertsCallIt() throws Exception {
        assertThat(all("job=\"(\\w+)\"", text(DEPLOY.resolve("prometheus").resolve("alerts.yaml"))))
                .isEqualTo(all("pairs: \\{app.kubernetes.io/name: (\\w+)}", text(BASE.resolve("kustomization.yaml"))));
        assertThat(text(DEPLOY.resolve("kubernetes").resolve("monitoring").resolve("pods.yaml")))
                .contains("  jobLabel: app.kubernetes.io/name\n");
    }

    @Test
    void everyMetricIsExplained() throws Exception {
        assertThat(all("`((?:gavel|jvm|process)_\\w+)`", text(Path.of("..", "docs", "observing.md"))))
                .isEqualTo(metrics());
    }

    @Test
    void alertsAreAboutMetricsThatThereAre() throws Exception {
        String alerts = text(DEPLOY.resolve("prometheus").resolve("alerts.yaml"));
        Set<String> alertMetrics = all("\\b((?:gavel|jvm|process)_\\w+?)(?:_bucket)?\\b", alerts);
        assertThat(alertMetrics).isNotEmpty().isSubsetOf(metrics());
    }
}
