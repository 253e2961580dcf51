package dev.gavel.app.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gavel.app.TestServer;
import dev.gavel.app.config.DefaultServerConfig;
import dev.gavel.cli.ExitCode;
import dev.gavel.client.Answer;
import dev.gavel.client.Call;
import dev.gavel.client.End;
import dev.gavel.client.Gavel;
import dev.gavel.client.GavelException;
import dev.gavel.client.Participant;
import dev.gavel.client.Pending;
import dev.gavel.client.Token;
import dev.gavel.client.Tools;
import dev.gavel.client.http.ListenAddress;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Follows docs/first-agent.md step by step. */
@Timeout(120)
class FirstAgentGuideTest {
    @TempDir
    Path directory;

    private TestServer server;
    private String url;

    @BeforeEach
    void serve() throws IOException {
        server = new TestServer(
                DefaultServerConfig.config(directory.resolve(".gavel")).withListen(new ListenAddress("127.0.0.1", 0)),
                1);
        url = "http://" + server.listen();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private RunningCommand.Result gavel(String... words) throws Exception {
        return RunningCommand.start(
                        directory,
                        Map.of(
                                "GAVEL_URL",
                                url,
                                "GAVEL_DATA",
                                directory.resolve(".gavel").toString()),
                        words)
                .awaitEnd();
    }

    private String done(String... words) throws Exception {
        RunningCommand.Result result = gavel(words);
        assertThat(result.exit())
                .as(String.join(" ", words) + ": " + result.err())
                .isZero();
        return result.out();
    }

    private String token(String name, String capability) throws Exception {
        return done("token", "create", name, "--topic", "main", "--capability", capability, "--expires", "30d")
                .strip();
    }

    private Participant join(String token) {
        return Gavel.at(url).token(Token.of(token)).topic("main").connect();
    }

    private String metrics() throws IOException {
        try (var in = URI.create(url + "/metrics").toURL().openStream()) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    @Test
    void anAgentGetsATokenProposesIsApprovedLosesItAndAllOfThatIsKept() throws Exception {
        String files = token("files", "mcp.response.*");
        String helper = token("helper", "mcp.proposal.*");
        try (Participant server = join(files);
                Participant agent = join(helper)) {
            server.serve(
                    new Tools().tool("delete_file", request -> Answer.text("deleted " + request.argument("path"))));
            Call call = Call.tool("delete_file").argument("path", "notes.txt");
            Pending first = agent.propose(call).send();
            first.accepted().join();
            assertThat(done("proposals", "main")).contains("delete_file path=notes.txt");

            assertThat(done("approve", "main", first.id(), "--wait")).contains("deleted notes.txt");
            assertThat(first.await()).isInstanceOf(End.Succeeded.class);

            Pending second = agent.propose(call).send();
            second.accepted().join();
            assertThat(done("token", "revoke", "helper")).startsWith("revoked k-");
            assertThatThrownBy(() -> second.end().join())
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(GavelException.Expelled.class);
            assertThatThrownBy(() -> join(helper)).isInstanceOf(GavelException.class);
        }
        assertThat(metrics())
                .contains(
                        "gavel_dropped_connections_total{topic=\"main\",reason=\"revoked\"} 1\n",
                        "gavel_proposals_total{topic=\"main\",end=\"fulfilled\"} 1\n",
                        "gavel_outcomes_total{topic=\"main\",outcome=\"succeeded\"} 1\n");
        Path export = directory.resolve("export.jsonl");
        String data = directory.resolve(".gavel").toString();
        done("ledger", "export", "--data", data, "--out", export.toString());
        assertThat(export)
                .content()
                .contains("\"type\":\"token.created\",\"by\":\"you\"", "\"type\":\"token.revoked\",\"by\":\"you\"")
                .contains("\"type\":\"fulfilled\",\"by\":\"you\"", "\"type\":\"answered\",\"by\":\"files\"")
                .doesNotContain(files, helper);
        assertThat(done("ledger", "verify", "--data", data)).contains("main: ", "system:identities: 5 events verified");
    }

    @Test
    void membersAreChangedWhileTheyAreConnected() throws Exception {
        String helper = token("helper", "mcp.proposal.*");
        try (Participant agent = join(helper)) {
            assertThat(done("member", "list", "main")).contains("helper", "mcp.proposal.*");
            done("member", "set", "main", "helper", "--capability", "chat.*");
            Pending refused = agent.propose(Call.tool("delete_file")).send();
            assertThat(refused.await()).isInstanceOf(End.Refused.class);

            done("member", "remove", "main", "helper");
            assertThat(agent.awaitOver()).isInstanceOf(GavelException.Expelled.class);
            assertThat(gavel("member", "remove", "main", "helper").exit()).isEqualTo(ExitCode.FAILURE);
        }
        assertThat(gavel("token", "revoke", "nobody").err()).contains("there is no identity 'nobody'");
    }
}
