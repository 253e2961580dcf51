package dev.gavel.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcp.client.HttpServerTarget;
import dev.gavel.mcp.client.ServerIsolation;
import dev.gavel.mcp.client.ServerLaunchConfig;
import dev.gavel.mcpx.Kind;
import dev.gavel.yaml.ProblemCollector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BridgeConfigReaderTest {
    @TempDir
    private Path directory;

    private final ProblemCollector problemCollector = new ProblemCollector();

    private ServerConfig read(String bridges) {
        return new ConfigFileReader(Map.of("KEY", "a secret")::get, problemCollector).read("gavel.yaml", """
                identities:
                  alice: {token: alice-0123456789abcdef}
                topics:
                  ops:
                    participants:
                      alice: ["*"]
                      named: ["chat.*"]
                bridges:
                  named: {topic: ops, command: [cat]}
                """ + bridges);
    }

    private List<String> wrong(String bridges) {
        read(bridges);
        return problemCollector.list().stream().map(Object::toString).toList();
    }

    private static <T> T of(Map<String, T> map, String key) {
        return Objects.requireNonNull(map.get(key));
    }

    @Test
    void aBridgeIsAMemberOfItsTopicThatAnswersAndNotifies() throws Exception {
        Path file = Files.writeString(directory.resolve("key"), "kept in a file\n");
        ServerConfig config = read("""
                  files: {topic: ops, command: [npx, -y, server], env: {A: "1", B: "env:KEY", C: "file:%s"}, cwd: .}
                  search: {topic: ops, url: "https://example.org/mcp", headers: {Authorization: "env:KEY"}}
                """.formatted(file));

        assertThat(problemCollector.list()).isEmpty();
        assertThat(of(config.bridges(), "files").server())
                .isEqualTo(new ServerLaunchConfig(
                        List.of("npx", "-y", "server"),
                        Map.of("A", "1", "B", "a secret", "C", "kept in a file"),
                        Optional.of(Path.of("."))));
        assertThat(of(config.bridges(), "search").server())
                .isInstanceOfSatisfying(
                        HttpServerTarget.class,
                        endpoint -> assertThat(endpoint.headers()).containsEntry("Authorization", "a secret"));
        assertThat(config.identities()).containsKeys("files", "search", "named");
        assertThat(of(of(config.topics(), "ops").members(), "files").admitsKind(Kind.of("mcp.response.tools/call")))
                .isTrue();
        assertThat(of(of(config.topics(), "ops").members(), "named").admitsKind(Kind.of("mcp.response.tools/call")))
                .isFalse();
        assertThat(config.toString()).doesNotContain("a secret").doesNotContain("kept in a file");
    }

    @Test
    void aSandboxHidesTheSecretFilesOfTheConfiguration() throws Exception {
        Path token = Files.writeString(directory.resolve("tok-carol"), "0f1e2d3c4b5a69788796\n");
        ServerConfig config =
                new ConfigFileReader(name -> null, problemCollector).read("gavel.yaml", """
                identities: {carol: {token: "file:%s"}}
                topics: {ops: {participants: {carol: ["*"]}}}
                bridges:
                  files: {topic: ops, command: [cat, "file:///srv"], sandbox: bwrap}
                  other: {topic: ops, command: [cat], env: {KEY: "file:%s"}}
                """.formatted(token, token));

        assertThat(problemCollector.list()).isEmpty();
        assertThat(of(config.bridges(), "files").server())
                .isInstanceOfSatisfying(
                        ServerLaunchConfig.class,
                        launch -> assertThat(launch.isolation().hidden())
                                .contains(token, Path.of("gavel.yaml"))
                                .doesNotContain(Path.of("/srv")));
    }

    @Test
    void aSandboxHidesTheLoginOfTheAccountAlsoBeforeTheFirstLogin() {
        ServerConfig config = new ConfigFileReader(Map.of("HOME", directory.toString())::get, problemCollector)
                .read("gavel.yaml", """
                        identities: {carol: {token: carol-0123456789abcdef}}
                        topics: {ops: {participants: {carol: ["*"]}}}
                        bridges: {files: {topic: ops, command: [cat], sandbox: bwrap}}
                        """);
        assertThat(of(config.bridges(), "files").server())
                .isInstanceOfSatisfying(
                        ServerLaunchConfig.class,
                        launch -> assertThat(launch.isolation().hidden()).contains(directory.resolve(".config/gavel")));
    }

    @Test
    void aSandboxThatWouldShowTheWholeSystemIsRefused() {
        assertThat(wrong("""
                  a: {topic: ops, command: [cat], sandbox: bwrap, cwd: /}
                  b: {topic: ops, command: [cat], sandbox: bwrap, readable: [/usr, /usr/..]}
                  c: {topic: ops, command: [cat], sandbox: bwrap, writable: [/tmp]}
                  d: {topic: ops, command: [cat], cwd: /}
                """))
                .containsExactly(
                        "gavel.yaml:10: 'cwd': a sandbox cannot show /, because this shows all files of the machine",
                        "gavel.yaml:11: 'readable': a sandbox cannot show /, because this shows all files of the"
                                + " machine",
                        "gavel.yaml:12: 'writable': a sandbox cannot show /tmp, because it has its own /tmp. Name a"
                                + " directory in it");
    }

    @Test
    void aSandboxThatCannotHideTheConfigurationIsAWarning() throws Exception {
        Path file = Files.writeString(directory.resolve("gavel.yaml"), """
                identities: {carol: {token: carol-0123456789abcdef, roles: [admin]}, dave: {token: dave-0123456789abcdef}}
                topics: {ops: {participants: {carol: ["*"], dave: ["chat.*"]}}}
                bridges: {files: {topic: ops, command: [cat], sandbox: bwrap, cwd: "DIR", writable: ["DIR"]}}
                """.replace("DIR", directory.toString()));
        ProblemCollector warnings = new ProblemCollector();
        new ConfigFileReader(name -> null, problemCollector, warnings).read(file.toString(), Files.readString(file));
        assertThat(problemCollector.list()).isEmpty();
        assertThat(warnings.list())
                .anySatisfy(warning -> assertThat(warning.toString())
                        .contains("gavel.yaml:3: the bridge cannot start: the sandbox cannot show the writable path")
                        .contains("because it contains " + file.toRealPath()));
    }

    @Test
    void whoIsBridgedHasNoToken() {
        assertThat(wrong("  alice: {topic: ops, command: [cat]}\n"))
                .singleElement()
                .asString()
                .contains("gavel.yaml:2:", "'alice' is a bridge, and a bridge needs no token")
                .doesNotContain("0123456789abcdef");
    }

    @Test
    void aProgramMayRunAsAnotherUserOrInASandbox(@TempDir Path directory) {
        ServerConfig config = read("""
                  files: {topic: ops, command: [cat], user: tools, sandbox: bwrap, readable: [/usr], writable: ["%s"]}
                """.formatted(directory));
        assertThat(problemCollector.list()).isEmpty();
        assertThat(of(config.bridges(), "files").server())
                .isEqualTo(new ServerLaunchConfig(
                        List.of("cat"),
                        Map.of(),
                        Optional.empty(),
                        new ServerIsolation(
                                Optional.of("tools"),
                                true,
                                List.of(Path.of("/usr")),
                                List.of(directory),
                                List.of(Path.of("gavel.yaml"), Path.of("/etc/gavel")))));
    }

    @Test
    void aMistakeInTheIsolationHasItsLine() {
        assertThat(wrong("""
                  a: {topic: ops, command: [cat], user: "-x"}
                  b: {topic: ops, command: [cat], sandbox: docker}
                  c: {topic: ops, command: [cat], writable: [/usr]}
                  d: {topic: ops, command: [cat], sandbox: bwrap, writable: [/not/there]}
                  e: {topic: ops, url: "https://example.org/mcp", user: tools}
                """))
                .containsExactly(
                        "gavel.yaml:10: 'user' must be the name of a user account, such as tools",
                        "gavel.yaml:11: 'sandbox' must be bwrap, the program that creates the sandbox",
                        "gavel.yaml:12: 'writable' can only be used in a bridge with 'sandbox'",
                        "gavel.yaml:13: 'writable': /not/there does not exist",
                        "gavel.yaml:14: 'user' can only be used in a bridge with 'command'");
    }

    @Test
    void everyMistakeHasItsLine() {
        assertThat(wrong("""
                  neither: {topic: ops}
                  both: {topic: ops, command: [cat], url: "https://example.org/mcp"}
                  nowhere: {topic: opps, command: [cat]}
                  homeless: {command: [cat]}
                  unset: {topic: ops, command: [cat], env: {A: "env:NOT_SET"}}
                  mixed: {topic: ops, command: [cat], headers: {A: "1"}}
                  typo: {topic: ops, comand: [cat], command: [cat]}
                  password: {topic: ops, url: "https://me:secret@example.org/mcp"}
                  "bad name": {topic: ops, command: [cat]}
                  header: {topic: ops, url: "https://example.org/mcp", headers: {Host: "env:KEY"}}
                  variable: {topic: ops, command: [cat], env: {"A=B": "env:KEY"}}
                """))
                .anyMatch(each -> each.contains("gavel.yaml:20:") && each.contains("the variable 'A=B' cannot be set"))
                .anyMatch(each -> each.contains("gavel.yaml:10:") && each.contains("needs 'command'"))
                .anyMatch(each -> each.contains("gavel.yaml:11:") && each.contains("either 'command' or 'url'"))
                .anyMatch(each -> each.contains("gavel.yaml:12:") && each.contains("Did you mean 'ops'"))
                .anyMatch(each -> each.contains("gavel.yaml:13:") && each.contains("'topic' is missing"))
                .anyMatch(each -> each.contains("gavel.yaml:14:") && each.contains("NOT_SET"))
                .anyMatch(each -> each.contains("gavel.yaml:15:") && each.contains("'headers' can only be used in"))
                .anyMatch(each -> each.contains("gavel.yaml:16:") && each.contains("unknown key 'comand'"))
                .anyMatch(each -> each.contains("gavel.yaml:17:") && each.contains("'url' must be"))
                .anyMatch(each -> each.contains("gavel.yaml:18:") && each.contains("bad name"))
                .anyMatch(each -> each.contains("gavel.yaml:19:") && each.contains("'Host' is not a valid HTTP header"))
                .hasSize(11)
                .noneMatch(each -> each.contains("secret"));
    }
}
