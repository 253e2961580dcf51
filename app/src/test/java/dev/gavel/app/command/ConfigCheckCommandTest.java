package dev.gavel.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.cli.CommandEnvironment;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests {@code gavel config check}. */
class ConfigCheckCommandTest {
    private static final String VALID_CONFIG = """
            identities: {alice: {}, bob: {}}
            topics:
              ops: {participants: {alice: ["*"], bob: ["chat.*"]}}
              lab: {ledger: off, participants: {bob: ["*"]}}
            """;

    private static final String WRONG = """
            lisetn: x
            topics:
              ops:
                ttl: {default: 2h, max: 1h}
                participants:
                  bob: []
            """;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path directory;

    private int run(String... arguments) {
        return GavelCommands.run(CommandEnvironment.ofProcess(), new PrintWriter(out), new PrintWriter(err), arguments);
    }

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("gavel.yaml"), text);
    }

    @Test
    void aSoundFileIsOneLineThatNamesItsTopics() throws IOException {
        Path file = file(VALID_CONFIG);
        assertThat(run("config", "check", file.toString())).isZero();
        assertThat(out.toString()).isEqualTo(file + ": no problems; topics: ops (2 members), lab (1 member)\n");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void everyMistakeIsALineWithItsPlace() throws IOException {
        Path file = file(WRONG);
        assertThat(run("config", "check", file.toString())).isEqualTo(2);
        assertThat(err.toString().lines())
                .containsExactly(
                        file + ":1: unknown key 'lisetn'. Did you mean 'listen'?",
                        file + ":4: 'default' must not be longer than 'max'",
                        file + ":6: 'bob' is not listed under 'identities'");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aSoundFileInJsonListsItsTopics() throws IOException {
        Path file = file(VALID_CONFIG);
        assertThat(run("config", "check", "--json", file.toString())).isZero();
        JsonNode answer = JsonMapper.shared().readTree(out.toString());
        assertThat(answer).isEqualTo(JsonMapper.shared().readTree("""
                        {"file": "%s", "ok": true, "problems": [], "topics": [
                          {"name": "ops", "ledger": true, "members": ["alice", "bob"]},
                          {"name": "lab", "ledger": false, "members": ["bob"]}]}
                        """.formatted(file)));
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void mistakesInJsonHaveTheirPlaces() throws IOException {
        Path file = file(WRONG);
        assertThat(run("config", "check", file.toString(), "--json")).isEqualTo(2);
        JsonNode answer = JsonMapper.shared().readTree(out.toString());
        assertThat(answer.path("ok").asBoolean(true)).isFalse();
        assertThat(answer.path("topics").size()).isZero();
        assertThat(answer.path("problems").size()).isEqualTo(3);
        assertThat(answer.path("problems").get(2)).isEqualTo(JsonMapper.shared().readTree("""
                        {"file": "%s", "line": 6, "column": 7, "message": "'bob' is not listed under 'identities'"}
                        """.formatted(file)));
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        assertThat(run("config", "check", "/not/there.yaml")).isEqualTo(2);
        assertThat(err.toString()).isEqualTo("gavel: the file /not/there.yaml does not exist\n");
    }

    @Test
    void withoutAFileTheOneInTheWorkingDirectoryIsMeant() {
        // The working directory of the tests has no configuration file.
        assertThat(run("config", "check")).isEqualTo(2);
        assertThat(err.toString()).startsWith("gavel: gavel.yaml does not exist in this directory. Name a file");
    }

    @Test
    void theFileMayBeNamedAsServeHasItNamed() throws IOException {
        Path file = file(VALID_CONFIG);
        assertThat(run("config", "check", "--config", file.toString())).isZero();
        assertThat(out.toString()).startsWith(file + ": no problems");
        assertThat(run("config", "check", "--config", file.toString(), "other.yaml"))
                .isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo("gavel: two files are given, other.yaml and " + file + ". Check one file at a time.\n");
    }

    @Test
    void theHelpHasExamples() {
        assertThat(run("config", "check", "--help")).isZero();
        assertThat(out.toString()).contains("Usage: gavel config check", "[FILE]", "--json", "Examples:");
        assertThat(run("config")).isEqualTo(2);
        assertThat(err.toString()).isEqualTo("gavel: missing command. Use one of: check. See 'gavel config --help'.\n");
    }

    @Test
    void theOptionForJsonMayStandFirst() throws IOException {
        assertThat(run("--json", "config", "check", file(VALID_CONFIG).toString()))
                .isZero();
        assertThat(out.toString()).startsWith("{\"file\":");
    }
}
