package dev.gavel.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.TestSocket;
import dev.gavel.ledger.Hash;
import dev.gavel.ledger.HashChainCalculator;
import dev.gavel.mcpx.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that commands hide secret arguments, and show them only on request. */
class SecretArgumentsCommandTest extends CommandTestBase {
    private static final String SECRET = "hunter2-hunter2";

    private String proposeSecret() throws Exception {
        return proposeWrite("--arg", "password=" + SECRET);
    }

    @Test
    void secretsAreShownOnlyOnRequestAndTheRequestIsRecorded() throws Exception {
        String id = proposeSecret();
        assertThat(run("alice", "proposals", "ops").out())
                .contains("write_file path=/tmp/x password=[secret]")
                .doesNotContain(SECRET);
        assertThat(run("alice", "show", "ops", id).out())
                .contains("secrets     hidden; to see them: gavel show ops " + id + " --reveal")
                .doesNotContain(SECRET, "revealed");
        assertThat(run("alice", "show", "ops", id, "--reveal").out())
                .contains("\"password\": \"" + SECRET + "\"", "secrets revealed by alice");
        assertThat(run("bob", "show", "ops", id).out())
                .contains("secrets revealed by alice")
                .doesNotContain(SECRET);
    }

    @Test
    void onlyWhoCouldApproveTheCallCanRevealItsSecrets() throws Exception {
        String id = proposeSecret();
        for (String identity : List.of("carol", "helper", "files")) {
            RunningCommand.Result refused = run(identity, "show", "ops", id, "--reveal");
            assertThat(refused.exit()).isEqualTo(1);
            assertThat(refused.err()).contains("(not_reviewer)");
            assertThat(refused.out()).doesNotContain(SECRET);
        }
        assertThat(run("alice", "show", "ops", id).out()).doesNotContain("revealed");
    }

    @Test
    void aCallThatIsEditedWithoutRevealingItsSecretsRunsWithThem() throws Exception {
        String id = proposeSecret();
        try (TestSocket files = runner("files")) {
            RunningCommand.Result result = run("alice", "approve", "ops", id, "--yes", "--arg", "path=/tmp/y");
            assertThat(result.exit()).isZero();
            assertThat(result.out()).doesNotContain(SECRET);
            assertThat(request(files)).contains("\"arguments\":{\"path\":\"/tmp/y\",\"password\":\"" + SECRET + "\"}");
        }
        String shown = run("helper", "show", "ops", id).out();
        assertThat(shown).contains("edited by the reviewer").doesNotContain(SECRET, "secret, edited");
    }

    @Test
    @SuppressWarnings("try") // connected while the command runs
    void aMarkerIsNeverRun() throws Exception {
        String id = proposeSecret();
        try (TestSocket files = runner("files")) {
            RunningCommand.Result result =
                    run("alice", "approve", "ops", id, "--yes", "--arg", "path:={\"dev.gavel/redacted\":\"secret\"}");
            assertThat(result.exit()).isEqualTo(1);
            assertThat(result.err()).contains("the marker of a hidden secret value");
        }
        assertThat(run("helper", "show", "ops", id, "--json").json().at("state").text())
                .isEqualTo("open");
        assertThat(run("helper", "propose", "ops", "--tool", "t", "--arg", "x:={\"dev.gavel/redacted\":\"secret\"}")
                        .err())
                .contains("(malformed)");
    }

    @Test
    void anExportHidesSecretsAndItsHashesCanStillBeChecked() throws Exception {
        String id = proposeSecret();
        try (TestSocket files = runner("files")) {
            run("alice", "approve", "ops", id, "--yes", "--arg", "password=other-secret-1");
            request(files);
        }
        Path redacted = directory.resolve("redacted.jsonl");
        Path full = directory.resolve("full.jsonl");
        String data = directory.resolve("data").toString();
        run("alice", "ledger", "export", "--data", data, "--topic", "ops", "--out", redacted.toString());
        run("alice", "ledger", "export", "--data", data, "--topic", "ops", "--out", full.toString(), "--with-secrets");
        assertThat(Files.readString(full)).contains(SECRET, "other-secret-1").doesNotContain("\"redacted\":true");
        assertThat(Files.readString(redacted)).doesNotContain(SECRET, "other-secret-1");
        List<String> lines = Files.readAllLines(redacted);
        Hash previous = HashChainCalculator.GENESIS_HASH;
        int redactedLines = 0;
        List<String> fullLines = Files.readAllLines(full);
        for (int i = 0; i < lines.size(); i++) {
            Json line = Json.parse(lines.get(i)).orElseThrow();
            Hash hash = Hash.parse(line.at("hash").text()).orElseThrow();
            if (line.at("redacted").isTrue()) {
                redactedLines++;
                assertThat(HashChainCalculator.nextHash(
                                previous,
                                line.at("seq").asLong(0),
                                Hash.parse(line.at("digest").text()).orElseThrow()))
                        .isEqualTo(hash);
            } else {
                assertThat(lines.get(i)).isEqualTo(fullLines.get(i));
            }
            previous = hash;
        }
        assertThat(redactedLines).isEqualTo(2);
    }
}
