package dev.gavel.app.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.TestServer;
import dev.gavel.app.TestSocket;
import dev.gavel.client.Answer;
import dev.gavel.client.Call;
import dev.gavel.client.Decision;
import dev.gavel.client.Gavel;
import dev.gavel.client.GavelException;
import dev.gavel.client.Participant;
import dev.gavel.client.Proposal;
import dev.gavel.client.Token;
import dev.gavel.client.Tools;
import dev.gavel.mcpx.json.Json;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tests that a reviewer's edit is checked against the tool's schema, however the reviewer sends it. */
@SuppressWarnings("NullAway.Init") // set before each test
class EditCheckTest {
    private static final String SCHEMA = """
            {"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"},"options":
            {"type":"object","properties":{"recursive":{"type":"boolean"}}}},"required":["path"]}""";
    private static final String HINT = "write_file has no argument 'contnet'; did you mean 'content'?";
    private static final String TYPO = "{\"path\":\"/tmp/x\",\"content\":\"rm -rf\",\"contnet\":\"safe\"}";

    private McpTestTopic topic;

    @BeforeEach
    void start(@TempDir Path data) throws Exception {
        topic = new McpTestTopic(data);
        topic.serveMarked("write_file", SCHEMA);
        // So that the proposals store the definition.
        await().until(() -> topic.client("alice").tools().contains("write_file"));
        propose("p-1");
    }

    @AfterEach
    void stop() {
        topic.close();
    }

    private void propose(String id) throws Exception {
        Json answer = post(
                "helper",
                "{'protocol':'mcpx/v0.1','id':'" + id + "','kind':'mcp.proposal.tools/call:write_file','payload':"
                        + "{'method':'tools/call','params':{'name':'write_file','arguments':"
                        + "{'path':'/tmp/x','content':'rm -rf'}}}}");
        assertThat(answer.at("id").text()).isEqualTo(id);
    }

    private Json post(String identity, String envelope) throws Exception {
        HttpResponse<String> response = TestMcpClient.HTTP.send(
                HttpRequest.newBuilder(URI.create("http://" + topic.server.listen() + "/topics/ops/messages"))
                        .header("Authorization", "Bearer " + identity + TestServer.SECRET)
                        .POST(HttpRequest.BodyPublishers.ofString(envelope.replace('\'', '"')))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        return Json.parse(response.body()).orElseThrow().with("status", Json.of(response.statusCode()));
    }

    private static String approval(String id, String arguments, String extra) {
        return "{'protocol':'mcpx/v0.1','id':'" + id + "','kind':'mcp.request.tools/call:write_file','to':['third'],"
                + "'correlationId':'p-1'," + extra + "'payload':{'jsonrpc':'2.0','id':'" + id
                + "','method':'tools/call','params':{'name':'write_file','arguments':" + arguments + "}}}";
    }

    private void assertStillOpenAndNotRun() throws Exception {
        assertThat(topic.proposal("p-1").at("state").text()).isEqualTo("open");
        assertThat(topic.ran).isEmpty();
    }

    @Test
    void aMistypedArgumentOverHttpIsRefused() throws Exception {
        Json problem = post("alice", approval("r-1", TYPO, ""));

        assertThat(problem.at("status").asLong(0)).isEqualTo(400);
        assertThat(problem.at("code").text()).isEqualTo("invalid_arguments");
        assertThat(problem.at("detail").text()).startsWith(HINT).contains("stays open");
        assertStillOpenAndNotRun();
    }

    @Test
    void aMistypedFieldBesideTheArgumentsIsRefused() throws Exception {
        Json problem = post(
                "alice",
                approval("r-1", "{'path':'/tmp/x','content':'x'},'argumetns':{'path':'/tmp/y','content':'y'}", ""));

        assertThat(problem.at("code").text()).isEqualTo("invalid_arguments");
        assertThat(problem.at("detail").text()).contains("no field 'argumetns'; did you mean 'arguments'?");
        assertStillOpenAndNotRun();
    }

    @Test
    void aMistypedArgumentOverASocketIsRefused() throws Exception {
        try (TestSocket alice = topic.server.join("alice")) {
            alice.send(approval("r-1", TYPO, "").replace('\'', '"'));
            JsonNode error = alice.envelope("system.error");

            assertThat(error.path("payload").path("error").asString()).isEqualTo("invalid_arguments");
            assertThat(error.path("payload").path("message").asString()).startsWith(HINT);
        }
        assertStillOpenAndNotRun();
    }

    @Test
    void anApprovalDoesNotOvertakeAnEarlierOneThatIsBeingChecked() throws Exception {
        for (int i = 2; i <= 6; i++) {
            propose("p-" + i);
        }
        try (TestSocket alice = topic.server.join("alice")) {
            List<String> ids = new ArrayList<>();
            for (int i = 1; i <= 6; i++) {
                // Every other one is edited, and so checked on another thread.
                String arguments = "{'path':'/tmp/x','content':'" + (i % 2 == 1 ? "safe" : "rm -rf") + "'}";
                alice.send(approval("r-" + i, arguments, "")
                        .replace("'correlationId':'p-1'", "'correlationId':'p-" + i + "'")
                        .replace('\'', '"'));
                ids.add("r-" + i);
            }
            assertThat(alice.until("r-6").stream()
                            .map(envelope -> envelope.path("id").asString())
                            .filter(ids::contains))
                    .containsExactlyElementsOf(ids);
        }
    }

    @Test
    void aMistypedArgumentOfAnMcpClientIsRefused() throws Exception {
        Json result = topic.client("alice")
                .call("gavel_approve", "{\"confirm\":true,\"proposal\":\"p-1\",\"arguments\":" + TYPO + "}");

        assertThat(result.at("isError").isTrue()).isTrue();
        assertThat(TestMcpClient.text(result)).startsWith(HINT);
        assertStillOpenAndNotRun();
    }

    @Test
    void aMistypedArgumentOfTheLibraryIsRefused() throws Exception {
        try (Participant alice = Gavel.at("http://" + topic.server.listen())
                .token(Token.of("alice" + TestServer.SECRET))
                .topic("ops")
                .connect()) {
            Proposal proposal = alice.proposal("p-1");
            assertThatThrownBy(() -> alice.decide(
                                    proposal, Decision.approve(proposal.call().argument("contnet", "safe")))
                            .join())
                    .isInstanceOf(CompletionException.class)
                    .cause()
                    .isInstanceOfSatisfying(
                            GavelException.Refused.class,
                            refused -> assertThat(refused.problem().code()).isEqualTo("invalid_arguments"));
            assertStillOpenAndNotRun();

            alice.decide(
                            proposal,
                            Decision.approve(proposal.call().argument("contnet", "safe"))
                                    .withoutCheck())
                    .join();
        }
        assertThat(topic.awaitState("p-1", "fulfilled").at("outcome").isPresent())
                .isTrue();
    }

    @Test
    void aReviewerCanOverrideTheCheckAndTheLedgerSaysSo() throws Exception {
        Json accepted = post("alice", approval("r-1", TYPO, "'unchecked':true,"));

        assertThat(accepted.at("status").asLong(0)).isEqualTo(202);
        Json proposal = topic.awaitState("p-1", "fulfilled");
        assertThat(proposal.at("timeline").elements().get(1).at("check").text()).isEqualTo("unchecked");
        await().until(() -> topic.ran.size() == 1);
        assertThat(topic.ran.getFirst()).contains("contnet");
    }

    @Test
    void aValidEditRunsAndIsRecordedAsChecked() throws Exception {
        Json accepted = post("alice", approval("r-1", "{'path':'/tmp/x','content':'safe'}", ""));

        assertThat(accepted.at("status").asLong(0)).isEqualTo(202);
        assertThat(topic.awaitState("p-1", "fulfilled")
                        .at("timeline")
                        .elements()
                        .get(1)
                        .at("check")
                        .text())
                .isEqualTo("passed");
        await().until(() -> topic.ran.contains("third write_file {\"path\":\"/tmp/x\",\"content\":\"safe\"}"));
    }

    @Test
    void aWrongTypeAndAMissingArgumentAreRefused() throws Exception {
        assertThat(post("alice", approval("r-1", "{'path':5}", "")).at("detail").text())
                .contains("'path': integer found, string expected");
        assertThat(post("alice", approval("r-2", "{'content':'x'}", ""))
                        .at("detail")
                        .text())
                .contains("write_file needs the argument 'path'");
        assertStillOpenAndNotRun();
    }

    @Test
    void aMistypedNameInANestedObjectIsRefused() throws Exception {
        String arguments = "{\"path\":\"/tmp/x\",\"options\":{\"recursiv\":true}}";
        String hint = "'options' has no field 'recursiv'; did you mean 'recursive'?";

        Json problem = post("alice", approval("r-1", arguments, ""));
        Json result = topic.client("alice")
                .call("gavel_approve", "{\"confirm\":true,\"proposal\":\"p-1\",\"arguments\":" + arguments + "}");

        assertThat(problem.at("code").text()).isEqualTo("invalid_arguments");
        assertThat(problem.at("detail").text()).startsWith(hint);
        assertThat(result.at("isError").isTrue()).isTrue();
        assertThat(TestMcpClient.text(result)).startsWith(hint);
        assertStillOpenAndNotRun();
    }

    @Test
    void anEditOfAnMcpClientThatRemovesARequiredArgumentIsRefused() throws Exception {
        Json result = topic.client("alice")
                .call("gavel_approve", "{\"confirm\":true,\"proposal\":\"p-1\",\"arguments\":{\"content\":\"x\"}}");

        assertThat(result.at("isError").isTrue()).isTrue();
        assertThat(TestMcpClient.text(result)).startsWith("write_file needs the argument 'path'.");
        assertStillOpenAndNotRun();
    }

    @Test
    void anEditOfAPromptIsCheckedAgainstItsArguments() throws Exception {
        topic.connect("other")
                .serve(new Tools()
                        .method(
                                "prompts/list",
                                _ -> Answer.result(Json.parse("""
                {"prompts":[{"name":"greet","arguments":[{"name":"person","required":true},{"name":"style"}]}]}""").orElseThrow()))
                        .method("prompts/get", request -> {
                            topic.ran.add(request.call().arguments().compact());
                            return Answer.result(Json.parse("{\"messages\":[]}").orElseThrow());
                        }));
        post(
                "helper",
                "{'protocol':'mcpx/v0.1','id':'p-2','kind':'mcp.proposal.prompts/get:greet','payload':"
                        + "{'method':'prompts/get','params':{'name':'greet','arguments':{'person':'Ann'}}}}");

        assertThat(postPrompt("{'person':'Ann','stlye':'formal'}").at("detail").text())
                .startsWith("greet has no argument 'stlye'; did you mean 'style'?");
        assertThat(postPrompt("{'style':'formal'}").at("detail").text())
                .startsWith("greet needs the argument 'person'.");
        assertThat(postPrompt("{'person':5}").at("code").text()).isEqualTo("invalid_arguments");
        assertThat(topic.proposal("p-2").at("state").text()).isEqualTo("open");
        assertThat(topic.ran).isEmpty();

        assertThat(postPrompt("{'person':'Ann','style':'formal'}").at("status").asLong(0))
                .isEqualTo(202);
        await().until(() -> topic.ran.contains("{\"person\":\"Ann\",\"style\":\"formal\"}"));
        assertThat(topic.proposal("p-2")
                        .at("timeline")
                        .elements()
                        .get(1)
                        .at("check")
                        .text())
                .isEqualTo("passed");
    }

    private Json postPrompt(String arguments) throws Exception {
        return post(
                "alice",
                "{'protocol':'mcpx/v0.1','id':'" + UUID.randomUUID()
                        + "','kind':'mcp.request.prompts/get:greet','to':['other'],'correlationId':'p-2','payload':"
                        + "{'jsonrpc':'2.0','id':1,'method':'prompts/get','params':{'name':'greet','arguments':"
                        + arguments + "}}}");
    }

    @Test
    void anApprovalWithoutAnEditIsNotChecked() throws Exception {
        post(
                "helper",
                "{'protocol':'mcpx/v0.1','id':'p-2','kind':'mcp.proposal.tools/call:write_file','payload':"
                        + "{'method':'tools/call','params':{'name':'write_file','arguments':{'nonsense':1}}}}");

        topic.approve("p-2");

        assertThat(topic.awaitState("p-2", "fulfilled").at("state").text()).isEqualTo("fulfilled");
    }

    @Test
    void problemsOfTheProposedArgumentsAreNotTheReviewersFault() throws Exception {
        post(
                "helper",
                "{'protocol':'mcpx/v0.1','id':'p-2','kind':'mcp.proposal.tools/call:write_file','payload':"
                        + "{'method':'tools/call','params':{'name':'write_file','arguments':{'path':'a','extra':1}}}}");

        Json result = topic.client("alice")
                .call(
                        "gavel_approve",
                        "{\"confirm\":true,\"proposal\":\"p-2\",\"arguments\":{\"path\":\"b\",\"extra\":1}}");

        assertThat(result.at("isError").isTrue()).as(result.raw()).isFalse();
    }

    @Test
    void anEditOfAToolThatNoParticipantListsIsReportedAsUnchecked() throws Exception {
        topic.propose("p-2", "unlisted_tool");

        Json result = topic.client("alice")
                .call(
                        "gavel_approve",
                        "{\"confirm\":true,\"proposal\":\"p-2\",\"to\":\"third\",\"arguments\":{\"a\":1}}");

        assertThat(TestMcpClient.text(result)).contains("were not checked", "lists no schema");
        assertThat(topic.awaitState("p-2", "fulfilled")
                        .at("timeline")
                        .elements()
                        .get(1)
                        .at("check")
                        .text())
                .isEqualTo("no_schema");
    }

    @Test
    void proposingAToolThatNoParticipantOffersListsTheNearestTools() throws Exception {
        topic.client("helper").tools();
        Json answer = post(
                "helper",
                "{'protocol':'mcpx/v0.1','id':'p-3','kind':'mcp.proposal.tools/call:wirte_file','payload':"
                        + "{'method':'tools/call','params':{'name':'wirte_file'}}}");

        assertThat(answer.at("status").asLong(0)).isEqualTo(202);
        Json warning = answer.at("errors").elements().getFirst();
        assertThat(warning.at("code").text()).isEqualTo("unknown_tool");
        assertThat(warning.at("detail").text())
                .contains("no connected participant offers the tool 'wirte_file'", "Offered tools: write_file.");
        assertThat(topic.proposal("p-3").at("state").text()).isEqualTo("open");
    }

    @Test
    void theLibrarysProposalOfAToolThatNoParticipantOffersStaysPending() throws Exception {
        topic.client("helper").tools();
        try (Participant helper = Gavel.at("http://" + topic.server.listen())
                .token(Token.of("helper" + TestServer.SECRET))
                .topic("ops")
                .connect()) {
            var pending = helper.propose(Call.tool("wirte_file")).send();
            await().until(() -> topic.proposals().stream()
                    .anyMatch(each -> each.at("id").text().equals(pending.id())));
            assertThat(pending.end()).isNotDone();
        }
    }

    @Test
    void anMcpClientThatCallsAnUnknownToolLearnsTheNearestTools() throws Exception {
        Json error = topic.client("helper")
                .requestAndAwait("tools/call", "{\"name\":\"wirte_file\",\"arguments\":{}}")
                .at("error");

        assertThat(error.at("message").text()).contains("Unknown tool", "Offered tools: write_file, ", "gavel_status");
    }
}
