package dev.gavel.app.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.ledger.sqlite.SqliteLedger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests commands as processes: environment, working directory and standard output. */
class CommandProcessTest {
    @TempDir
    Path directory;

    private record Ended(int code, String out, String err) {}

    private static List<String> command(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                "dev.gavel.app.Main"));
        command.addAll(List.of(arguments));
        return command;
    }

    private Ended run(Map<String, String> environment, String... arguments) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command(arguments))
                .directory(directory.toFile())
                .redirectOutput(directory.resolve("stdout").toFile())
                .redirectError(directory.resolve("stderr").toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS))
                    .as("it ends by itself")
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Ended(
                process.exitValue(),
                Files.readString(directory.resolve("stdout"), UTF_8),
                Files.readString(directory.resolve("stderr"), UTF_8));
    }

    @Test
    void anExportToStandardOutputIsUtf8WhateverTheTerminals() throws Exception {
        try (SqliteLedger ledger = TestLedgerFile.open(directory.resolve(".gavel"))) {
            TestLedgerFile.fill(ledger);
            Ended ended = run(Map.of("LC_ALL", "C"), "ledger", "export");
            assertThat(ended.err()).isEqualTo("exported 5 events\n");
            assertThat(ended.code()).isZero();
            assertThat(ended.out().lines()).hasSize(5);
            assertThat(ended.out()).contains("grün ☂");
        }
    }

    @Test
    void anExportNobodyReadsToItsEndEndsQuietly() throws Exception {
        try (SqliteLedger ledger = TestLedgerFile.open(directory.resolve(".gavel"))) {
            TestLedgerFile.fill(ledger);
        }
        Path err = directory.resolve("stderr");
        Process process = new ProcessBuilder(command("ledger", "export"))
                .directory(directory.toFile())
                .redirectError(err.toFile())
                .start();
        process.getInputStream().close();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(err).content().isEmpty();
        assertThat(process.exitValue()).isZero();
    }

    @Test
    void theEnvironmentSaysWhereTheLedgerIs() throws Exception {
        Path elsewhere = directory.resolve("elsewhere");
        TestLedgerFile.open(elsewhere).close();
        Ended ended = run(Map.of("GAVEL_DATA", elsewhere.toString()), "ledger", "rebuild");
        assertThat(ended).isEqualTo(new Ended(0, "rebuilt the index of 0 proposals\n", ""));
    }

    @Test
    void withoutAFileTheOneInTheWorkingDirectoryIsChecked() throws Exception {
        Files.writeString(
                directory.resolve("gavel.yaml"),
                "identities: {alice: {token: 4c1f-8d2e-77ab-9e03, roles: [admin]}}\ntopics: {ops: {participants: {}}}\n");
        assertThat(run(Map.of(), "config", "check"))
                .isEqualTo(new Ended(0, "gavel.yaml: no problems; topics: ops (0 members)\n", ""));
        assertThat(run(Map.of("GAVEL_BUS", "kafka://host"), "config", "check"))
                .isEqualTo(
                        new Ended(
                                2,
                                "",
                                "gavel.yaml:1: GAVEL_BUS must be memory or the URL of a NATS server, such as nats://host:4222\n"));
    }

    @Test
    void aServerWithoutAConfigurationJudgesTheEnvironmentToo() throws Exception {
        assertThat(run(Map.of("GAVEL_LEDGER", "oracle://host/db"), "serve", "--listen", "127.0.0.1:0"))
                .isEqualTo(
                        new Ended(
                                2,
                                "",
                                "gavel: GAVEL_LEDGER must be sqlite or the URL of a PostgreSQL database, such as jdbc:postgresql://host/gavel\n"));
        assertThat(directory.resolve(".gavel")).doesNotExist();
    }

    @Test
    void headersForACollectorThatCannotBeSentAreAMistakeFoundBeforeAnythingIsOpened() throws Exception {
        Files.writeString(
                directory.resolve("gavel.yaml"),
                "listen: 127.0.0.1:0\ntraces: http://127.0.0.1:1\nidentities: {alice: {token: 4c1f-8d2e-77ab-9e03, roles: [admin]}}\ntopics: {ops: {participants: {}}}\n");
        assertThat(run(Map.of("OTEL_EXPORTER_OTLP_HEADERS", "x=a,authorization=hush%"), "serve"))
                .isEqualTo(new Ended(
                        2,
                        "",
                        "gavel: cannot start: OTEL_EXPORTER_OTLP_HEADERS must be name=value pairs, separated by commas,"
                                + " with percent-encoded values; pair 2 of 2 is not a valid header\n"));
        assertThat(directory.resolve(".gavel")).doesNotExist();
    }
}
