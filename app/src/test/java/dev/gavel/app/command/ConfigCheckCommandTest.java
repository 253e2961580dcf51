package dev.gavel.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.cli.CommandEnvironment;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests {@code gavel config check}. */
class ConfigCheckCommandTest {
    private static final String VALID_CONFIG = """
            identities: {alice: {roles: [admin], token: alice-0123456789abcdef}, bob: {}}
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
    void hiddenCharactersOfAnArgumentAreShownAsEscapes() throws IOException {
        assertThat(run("config", "check", "--config", "x\u001b[31m")).isEqualTo(2);
        Path file = Files.writeString(directory.resolve("y\u009b1m.yaml"), WRONG);
        assertThat(run("config", "check", file.toString())).isEqualTo(2);
        assertThat(run("config", "x\u001b[32m")).isEqualTo(2);
        Path valid = Files.writeString(directory.resolve("z\u202e.yaml"), VALID_CONFIG);
        assertThat(run("config", "check", valid.toString())).isZero();
        assertThat(err.toString())
                .contains("x\\u001b[31m", "y\\u009b1m.yaml", "x\\u001b[32m")
                .doesNotContain("\u001b", "\u009b");
        assertThat(out.toString()).contains("z\\u202e.yaml").doesNotContain("\u202e");
    }

    @Test
    void aSoundFileInJsonListsItsTopics() throws IOException {
        Path file = file(VALID_CONFIG);
        assertThat(run("config", "check", "--json", file.toString())).isZero();
        JsonNode answer = JsonMapper.shared().readTree(out.toString());
        assertThat(answer).isEqualTo(JsonMapper.shared().readTree("""
                        {"file": "%s", "ok": true, "problems": [], "warnings": [], "topics": [
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
    void probableMistakesAreWarningsWithTheirPlaceAndAFix() throws IOException {
        Path file = file("""
                identities: {alice: {}, agent: {}}
                topics:
                  ops:
                    participants:
                      alice: ["chat.*", "mcpx.reject.proposal"]
                      agent:
                        - "mcp.proposal.*"
                        - "tools.call.read_*"
                        - mcp.requests.tools/call:list_*
                        - {kind: "mcp.request.tool/call:get_*"}
                bridges:
                  files: {topic: ops, command: [no-such-program, "-y"]}
                  disk:
                    topic: ops
                    command: ["npx -y server"]
                """);
        assertThat(run("config", "check", file.toString())).isEqualTo(1);
        assertThat(err.toString().lines())
                .containsExactly(
                        file + ":1: warning: no identity has the role 'admin', so tokens and members cannot be changed"
                                + " while the server runs. Add 'roles: [admin]' to an identity.",
                        file + ":3: warning: in the topic 'ops', no member could approve a call that 'agent' proposes."
                                + " Give another member a capability for it, such as \"mcp.request.tools/call\" or"
                                + " \"*\".",
                        file + ":8: warning: capability 'tools.call.read_*' matches nothing: 'tools' is not a protocol."
                                + " To match calls of a tool, write mcp.request.tools/call:NAME.",
                        file + ":9: warning: capability 'mcp.requests.tools/call:list_*' matches nothing: 'requests' is"
                                + " not an operation of MCP. Did you mean 'request'?",
                        file + ":10: warning: capability 'mcp.request.tool/call:get_*' matches nothing: 'tool/call' is"
                                + " not a method of MCP. Did you mean 'tools/call'?",
                        file + ":12: warning: the program 'no-such-program' does not exist in the directories of the"
                                + " variable PATH. Install it, or correct its name.",
                        file + ":15: warning: the program 'npx -y server' does not exist in the directories of the"
                                + " variable PATH. Write the program and each argument as separate entries of the"
                                + " list.");
        assertThat(out.toString()).isEqualTo(file + ": 7 warnings; topics: ops (4 members)\n");
        assertThat(run("config", "check", "--ignore-warnings", file.toString())).isZero();
    }

    @Test
    void mistakesThatLookRightAreWarnings() throws IOException {
        Path file = file("""
                identities: {alice: {roles: [admin], token: alice-0123456789abcdef}, agent: {}}
                topics:
                  ops:
                    participants:
                      alice: ["mcp.request.tools/call:read_x"]
                      agent: ["mcp.proposal.tools/call:write_x", "mcp.request.tools/call.list_*"]
                bridges:
                  files: {topic: ops, command: [/tmp]}
                  web:
                    topic: ops
                    url: http://127.0.0.1:1/mcp
                    headers: {Authorization: "Bearer ${WEB_TOKEN}"}
                """);
        assertThat(run("config", "check", file.toString())).isEqualTo(1);
        assertThat(err.toString().lines())
                .containsExactly(
                        file + ":3: warning: in the topic 'ops', no member could approve a call of 'write_x' that"
                                + " 'agent' proposes. Give another member a capability for it, such as"
                                + " \"mcp.request.tools/call:write_x\".",
                        file + ":6: warning: capability 'mcp.request.tools/call.list_*' matches nothing:"
                                + " 'tools/call.list_*' is not a method of MCP. Write a colon after the method:"
                                + " mcp.request.tools/call:list_*",
                        file
                                + ":8: warning: the program '/tmp' is not an executable file. Install it, or correct its name.",
                        file + ":12: warning: Gavel does not replace variables such as ${NAME}, $NAME or env:NAME"
                                + " within the header 'Authorization'. Write env:NAME, with the whole value in the variable.");
    }

    @Test
    void patternsThatCannotMatchWhatTheySeemToSayAreProblems() throws IOException {
        Path file = file("""
                identities: {alice: {roles: [admin], token: alice-0123456789abcdef}, bob: {}}
                topics:
                  ops:
                    secret: ["password, token"]
                    participants:
                      alice: ["*"]
                      bob:
                        - {kind: mcp.request.tools/call, payload: {params: {arguments: {path: "! /etc/*"}}}}
                """);
        assertThat(run("config", "check", file.toString())).isEqualTo(2);
        assertThat(err.toString().lines())
                .satisfiesExactlyInAnyOrder(
                        line -> assertThat(line).startsWith(file + ":4: 'secret': 'password, token' is not a path"),
                        line -> assertThat(line)
                                .startsWith(file + ":8: '! /etc/*' in the payload pattern has a space")
                                .endsWith("So it would allow what it seems to forbid."));
    }

    @Test
    void settingsThatProbablyDoNothingAreWarnings() throws IOException {
        Path file = file("""
                identities: {alice: {roles: [admin], token: alice-0123456789abcdef}, bob: {}}
                limits: {proxies: [0.0.0.0/0]}
                topics:
                  ops:
                    secret: ["$.key", "arguments.pin"]
                    participants:
                      alice: ["*"]
                      bob:
                        - {kind: mcp.request.tools/call, payload: {param: {name: x}}}
                bridges:
                  web: {topic: ops, url: "http://127.0.0.1:1/mcp", headers: {Authorization: "Bearer $TOKEN"}}
                  web2: {topic: ops, url: "http://127.0.0.1:1/mcp", headers: {Authorization: "Bearer env:TOKEN"}}
                """);
        assertThat(run("config", "check", file.toString())).isEqualTo(1);
        assertThat(err.toString().lines())
                .satisfiesExactlyInAnyOrder(
                        line -> assertThat(line).contains(":2: warning: '0.0.0.0/0' makes every client a proxy"),
                        line -> assertThat(line).contains(":5: warning: 'secret': '$.key' contains '$'"),
                        line -> assertThat(line).contains(":5: warning: 'secret': 'arguments.pin'", "write 'pin'"),
                        line -> assertThat(line).contains(":9: warning: ", "no field 'param'"),
                        line -> assertThat(line).contains(":11: warning: ", "'Authorization'"),
                        line -> assertThat(line).contains(":12: warning: ", "'Authorization'"));
    }

    @Test
    void identitiesThatCannotBeToldApartAreProblems() throws IOException {
        Path file = file("""
                identities:
                  admin: {roles: [admin], token: alice-0123456789abcdef}
                  Admin: {}
                  rev: {}
                  evil: {handles: ["@Rev", "@x"]}
                  other: {handles: ["X"]}
                  sam: {handles: ["@sam-s"]}
                  sam-b: {handles: ["@sam"]}
                topics: {ops: {participants: {admin: ["*"]}}}
                """);
        assertThat(run("config", "check", file.toString())).isEqualTo(2);
        assertThat(err.toString().lines())
                .satisfiesExactlyInAnyOrder(
                        line -> assertThat(line).contains(":3: 'Admin' and 'admin' differ only in case"),
                        line -> assertThat(line).contains(":5: the handle '@rev' of 'evil' is the id of another"),
                        line -> assertThat(line).contains(":6: 'other' and 'evil' both have the handle '@x'"));
    }

    @Test
    void warningsInJsonHaveTheirPlaces() throws IOException {
        Path file = file(VALID_CONFIG.replace("{roles: [admin], token: alice-0123456789abcdef}", "{}"));
        assertThat(run("config", "check", "--json", file.toString())).isEqualTo(1);
        JsonNode answer = JsonMapper.shared().readTree(out.toString());
        assertThat(answer.path("ok").asBoolean()).isTrue();
        assertThat(answer.path("warnings").get(0).path("line").asInt()).isEqualTo(1);
        assertThat(answer.path("warnings").get(0).path("message").asString()).startsWith("no identity has the role");
        assertThat(answer.path("topics").size()).isEqualTo(2);
    }

    @Test
    void aCommandGivenAsOneTextIsAProblem() throws IOException {
        Path file = file(VALID_CONFIG + """
                bridges:
                  files: {topic: ops, command: "npx -y @modelcontextprotocol/server-filesystem notes"}
                """);
        assertThat(run("config", "check", file.toString())).isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo(file + ":6: 'command' must be a list: write"
                        + " [npx, -y, \"@modelcontextprotocol/server-filesystem\", notes]\n");
    }

    @Test
    void aTopicNeedsAReviewerOnlyForCallsThatItsMembersCannotMakeThemselves() throws IOException {
        for (String members : List.of(
                "{alice: [\"chat.*\"]}",
                "{alice: [\"*\"], bob: [\"chat.*\"]}",
                "{alice: [\"*\"], bob: [\"mcp.proposal.*\"]}",
                "{alice: [\"mcp.request.tools/call:write_*\"],"
                        + " bob: [\"mcp.proposal.*\", \"mcp.request.tools/call:read_*\"]}")) {
            assertThat(run("config", "check", topicOf(members))).as(members).isZero();
        }
        for (String members : List.of(
                "{alice: [\"*\"]}",
                "{bob: [\"mcp.proposal.*\"]}",
                "{bob: [\"mcp.proposal.*\", \"mcp.request.tools/call:read_*\"]}",
                "{alice: [\"mcp.proposal.*\", \"mcp.request.tools/call:read_*\"],"
                        + " bob: [\"mcp.proposal.*\", \"mcp.request.tools/call:read_*\"]}")) {
            assertThat(run("config", "check", topicOf(members))).as(members).isEqualTo(1);
        }
    }

    @Test
    void reviewersAndAdminsWithoutTokenAreWarnings() throws IOException {
        Path file = file("""
                identities: {alice: {roles: [admin]}, rev: {}, agent: {token: 0f1e2d3c4b5a69788796}}
                topics:
                  ops: {participants: {rev: ["mcp.request.*"], agent: ["mcp.proposal.*"]}}
                  lab: {participants: {alice: ["*"]}}
                """);
        assertThat(run("config", "check", file.toString())).isEqualTo(1);
        assertThat(err.toString().lines())
                .containsExactly(
                        file + ":1: warning: no admin has a token, so tokens and members cannot be changed while the"
                                + " server runs. Add 'token' to 'alice'.",
                        file + ":3: warning: in the topic 'ops', no member with a token could approve a call that"
                                + " 'agent' proposes. Add 'token' to 'rev'.",
                        file + ":4: warning: in the topic 'lab', no member could approve a call that 'alice' proposes,"
                                + " because it is the only member. Add a member that proposes or approves calls.");
    }

    private String topicOf(String members) throws IOException {
        return file("identities: {alice: {roles: [admin], token: alice-0123456789abcdef}, bob: {}}\ntopics: {ops: {participants: "
                        + members + "}}\n")
                .toString();
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
