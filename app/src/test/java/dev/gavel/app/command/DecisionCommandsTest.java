package dev.gavel.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.TestSocket;
import dev.gavel.mcpx.json.Json;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the commands that show and decide proposals. */
class DecisionCommandsTest extends CommandTestBase {
    @Test
    void whoProposesIsToldTheIdHowItStandsAndWhatToDo() throws Exception {
        RunningCommand.Result result =
                run("helper", "propose", "ops", "--tool", "write_file", "--arg", "path=/tmp/x", "--ttl", "5m");
        assertThat(result.exit()).isZero();
        assertThat(result.err()).isEmpty();
        List<String> lines = result.out().lines().toList();
        assertThat(lines.get(0)).matches("proposed p-[0-9a-f]{22}");
        assertThat(lines.get(1)).startsWith("  status  waiting for alice or bob (not connected); expires ");
        assertThat(lines.get(2)).startsWith("  next    Ask alice or bob to decide, or withdraw the proposal");
    }

    @Test
    void aProgramIsToldTheSameAsJson() throws Exception {
        Json proposal = run("helper", "--json", "propose", "ops", "--tool", "t", "--arg", "n:=1.50", "--to", "files")
                .json();
        assertThat(proposal.at("state").text()).isEqualTo("open");
        assertThat(proposal.at("payload").at("params").at("arguments").raw()).isEqualTo("{\"n\":1.50}");
        assertThat(proposal.at("to").texts()).containsExactly("files");
        assertThat(proposal.at("guidance").at("nextStep").text()).isNotEmpty();
    }

    @Test
    void whatMayNotBeProposedIsRefused() throws Exception {
        RunningCommand.Result result = run("bob", "propose", "ops", "--tool", "x", "--json");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err().lines()).hasSize(1);
        assertThat(result.err())
                .startsWith("gavel: ")
                .contains("'mcp.proposal.tools/call:x'", "(capability_violation)");
        assertThat(result.json().at("code").text()).isEqualTo("capability_violation");
    }

    @Test
    void proposalsAreListedNewestFirst() throws Exception {
        String first = proposeWrite();
        String second = proposeWrite("--arg", "text=two words");
        RunningCommand.Result result = run("alice", "proposals", "ops");
        assertThat(result.exit()).isZero();
        List<String> lines = result.out().lines().toList();
        assertThat(lines.get(0)).matches("ID +STATE +FROM +CALL +AGE +WAITING FOR");
        assertThat(lines.get(1))
                .matches(
                        second
                                + "  open   helper  write_file path=/tmp/x text=\"two words\"  \\d+s   alice, bob \\(not connected\\)");
        assertThat(lines.get(2)).startsWith(first);
        assertThat(lines).hasSize(3);
    }

    @Test
    void aListIsNarrowedAndItsPagesFollowedUpToTheLimit() throws Exception {
        String first = proposeWrite();
        String second = proposeWrite();
        proposeWrite();
        run("helper", "withdraw", "ops", first);
        assertThat(run("alice", "proposals", "ops", "--state", "withdrawn", "--json")
                        .json()
                        .at("proposals")
                        .elements())
                .singleElement()
                .satisfies(each -> assertThat(each.at("id").text()).isEqualTo(first));
        assertThat(run("alice", "proposals", "ops", "--from", "bob").out()).isEqualTo("no proposals in ops\n");
        RunningCommand.Result limited = run("alice", "proposals", "ops", "--limit", "2");
        assertThat(limited.out().lines())
                .hasSize(4)
                .anyMatch(line -> line.startsWith(second))
                .contains("there are more proposals; use a larger --limit to show them");
    }

    @Test
    void aProposalIsShownWithWhatTheReaderMayType() throws Exception {
        String id = proposeWrite("--arg", "text=evil\u001b[2J");
        String page = run("alice", "show", "ops", id).out();
        assertThat(page)
                .startsWith(id + "  open\n")
                .contains("  call        write_file\n", "\"path\": \"/tmp/x\"", "\"evil\\u001B[2J\"")
                .contains("  you can     gavel approve ops " + id + "\n")
                .contains("gavel reject ops " + id + " --reason REASON\n")
                .doesNotContain("gavel withdraw", "\u001b")
                .containsPattern("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d  proposed by helper\n");
        assertThat(run("helper", "show", "ops", id).out()).contains("  you can     gavel withdraw ops " + id + "\n");
        assertThat(run("alice", "show", "ops", "nothing").exit()).isEqualTo(1);
    }

    @Test
    void whatIsApprovedIsRunAsItWasProposed() throws Exception {
        String arguments = "{ \"path\" : \"/tmp/\\u0078\", \"n\":1.10e2 }";
        String id = id(run("helper", "propose", "ops", "--tool", "write_file", "--args", arguments)
                .out()
                .lines()
                .findFirst()
                .orElseThrow());
        try (TestSocket files = runner("files")) {
            RunningCommand.Result result = run("alice", "approve", "ops", id);
            assertThat(result.exit()).isZero();
            assertThat(result.out())
                    .startsWith("approved " + id + ": write_file path=/tmp/x n:=1.10e2\n")
                    .contains("  status   approved by alice")
                    .containsPattern("  runs on  files, as request r-[0-9a-f]+\n");
            String request = request(files);
            assertThat(request)
                    .contains("\"kind\":\"mcp.request.tools/call:write_file\"", "\"correlationId\":\"" + id + "\"")
                    .contains("\"params\":{\"name\":\"write_file\",\"arguments\":" + arguments + "}");
            Json envelope = Json.parse(request).orElseThrow();
            assertThat(envelope.at("payload").at("id").text())
                    .isEqualTo(envelope.at("id").text());
            assertThat(envelope.at("to").texts()).containsExactly("files");
        }
    }

    @Test
    void anEditedCallIsRunEditedAndBothAreShown() throws Exception {
        String id = proposeWrite("--arg", "n:=1.0");
        try (TestSocket files = runner("files")) {
            RunningCommand waiting = type("bob", "approve", "ops", id, "--arg", "path=/tmp/y", "--wait");
            answer(files, "\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"written\"}]}");
            RunningCommand.Result result = waiting.awaitEnd();
            assertThat(result.exit()).isZero();
            assertThat(result.out())
                    .startsWith("approved " + id + ", edited: write_file path=/tmp/y n:=1.0\n")
                    .contains("succeeded: approved by bob with edited arguments at ")
                    .endsWith("written\n");
        }
        assertThat(run("alice", "show", "ops", id).out())
                .contains(
                        "- path: \"/tmp/x\"\n", "+ path: \"/tmp/y\"\n", "answered by files: succeeded\n", "written\n");
    }

    @Test
    void whoIsToRunItMustBeClear() throws Exception {
        String id = proposeWrite();
        RunningCommand.Result nobody = run("alice", "approve", "ops", id);
        assertThat(nobody.exit()).isEqualTo(2);
        assertThat(nobody.err())
                .contains("no connected participant offers the tool of " + id)
                .contains("--to");
        try (TestSocket files = runner("files");
                TestSocket disk = runner("disk")) {
            RunningCommand.Result several = run("alice", "approve", "ops", id);
            assertThat(several.exit()).isEqualTo(2);
            assertThat(several.err()).contains("--to", "files", "disk");
            assertThat(run("alice", "approve", "ops", id, "--to", "disk").exit())
                    .isZero();
            assertThat(request(disk)).contains(id);
            assertThat(files.status()).isEqualTo(101);
        }
    }

    @Test
    void whatIsDecidedIsNotApprovedAgain() throws Exception {
        String id = proposeWrite();
        run("alice", "reject", "ops", id, "--reason", "unsafe");
        RunningCommand.Result result = run("alice", "approve", "ops", id);
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains(id + " is no longer open: rejected").contains("alice (unsafe)");
    }

    @Test
    void severalAreDecidedAtOnceAndEachThatFailsIsNamed() throws Exception {
        String first = proposeWrite();
        String second = proposeWrite();
        RunningCommand.Result result =
                run("bob", "reject", "ops", first, "nothing", second, "--reason", "policy", "--note", "not now");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.out()).isEqualTo("rejected " + first + "\nrejected " + second + "\n");
        assertThat(result.err().lines()).singleElement().asString().startsWith("gavel: nothing: ");
        Json again = run("bob", "reject", "ops", first, second, "--reason", "policy", "--json")
                .json();
        assertThat(again.at("done").elements()).isEmpty();
        assertThat(again.at("failed").elements()).hasSize(2).allSatisfy(each -> {
            assertThat(each.at("code").text()).isEqualTo("proposal_closed");
            assertThat(each.at("state").text()).isEqualTo("rejected");
        });
        assertThat(run("alice", "show", "ops", first).out()).contains("rejected by bob: policy (not now)");
    }

    @Test
    void onlyTheProposerWithdraws() throws Exception {
        String id = proposeWrite();
        RunningCommand.Result refused = run("alice", "withdraw", "ops", id);
        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.err()).contains("not_proposer");
        RunningCommand.Result result = run("helper", "withdraw", "ops", id, "--reason", "changed my mind");
        assertThat(result.exit()).isZero();
        assertThat(result.out()).isEqualTo("withdrew " + id + "\n");
        assertThat(run("alice", "show", "ops", id).out()).contains("withdrawn by helper: changed my mind");
    }

    @Test
    void aStatusIsToldToTheProposer() throws Exception {
        String id = proposeWrite();
        assertThat(run("bob", "status", "ops", id, "considering", "--note", "asking alice")
                        .exit())
                .isZero();
        assertThat(run("helper", "show", "ops", id).out()).contains("status from bob: considering (asking alice)");
        RunningCommand.Result mistyped = run("bob", "status", "ops", id, "considring");
        assertThat(mistyped.exit()).isEqualTo(2);
        assertThat(mistyped.err())
                .isEqualTo("gavel: 'considring' is not a valid status. Did you mean 'considering'?\n");
    }

    @Test
    void aTopicWithoutALedgerKnowsNoProposals() throws Exception {
        RunningCommand.Result result = run("alice", "proposals", "relay");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("ledger");
    }
}
