package dev.gavel.app.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.TestSocket;
import dev.gavel.mcpx.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
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
                .contains("  call        write_file\n", "\"path\": \"/tmp/x\"", "\"evil\\u001b[2J\"")
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
            RunningCommand.Result result = run("alice", "approve", "ops", id, "--yes");
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
    void aCallThatNeedsCareIsNotApprovedByAScriptWithoutYes() throws Exception {
        String id = proposeWrite("--arg", "text=a\u200bb");
        try (TestSocket files = runner("files")) {
            for (String option : new String[] {"--wait", "--json"}) {
                RunningCommand.Result result = run("alice", "approve", "ops", id, option);
                assertThat(result.exit()).isEqualTo(2);
                assertThat(result.err())
                        .contains(id + " needs care, so nothing was approved.")
                        .contains("No connected participant lists this tool", "text contains 1 hidden character")
                        .contains("--yes");
            }
            assertThat(run("alice", "show", "ops", id).out()).startsWith(id + "  open\n");
            assertThat(files.status()).isEqualTo(101);
        }
    }

    @Test
    void atATerminalTheReviewerConfirmsACallThatNeedsCare() throws Exception {
        String id = proposeWrite();
        try (TestSocket files = runner("files")) {
            for (String answer : new String[] {"", "y", "no"}) {
                RunningCommand.Result result = runAtTerminal("alice", answer, "approve", "ops", id);
                assertThat(result.exit()).isEqualTo(1);
                assertThat(result.err()).contains("nothing was approved");
            }
            RunningCommand.Result result = runAtTerminal("alice", "yes", "approve", "ops", id);
            assertThat(result.exit()).isZero();
            assertThat(result.out())
                    .startsWith("run write_file path=/tmp/x on files?\n")
                    .contains("No connected participant lists this tool", "approved ");
            assertThat(request(files)).contains(id);
        }
    }

    @Test
    void aProposalShowsWhatItsCallCanDoAndItsWarnings() throws Exception {
        String id = proposeWrite("--args", "{\"folder\":\"../x\",\"text\":\"one\\u000atwo\",\"m\":\"\\u0072m\"}");
        assertThat(run("alice", "show", "ops", id).out())
                .contains("  effect      No connected participant lists this tool, so what it does is unknown.\n")
                .contains("  check       folder leaves its folder with \"..\"\n")
                .contains("\"text\": \"\"\"\n                │ one\n                │ two\n")
                .contains("\"m\": \"rm\"");
    }

    @Test
    void anEditedCallIsRunEditedAndBothAreShown() throws Exception {
        String id = proposeWrite("--arg", "n:=1.0");
        try (TestSocket files = runner("files")) {
            RunningCommand waiting = type("bob", "approve", "ops", id, "--arg", "path=/tmp/y", "--yes", "--wait");
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
    void anEditThatDoesNotMatchTheSchemaIsRefusedUnlessItIsApprovedUnchecked() throws Exception {
        try (TestToolParticipant tools = toolParticipant(true)) {
            String id = proposeWrite("--args", "{\"path\":\"/tmp/x\",\"options\":{\"mode\":\"a\"}}");
            for (String[] edit : new String[][] {
                {"--arg=txet=safe", "write_file has no argument 'txet'; did you mean 'text'?"},
                {"--args={}", "write_file needs the argument 'path'."},
                {
                    "--arg=options:={\"mode\":\"a\",\"recursiv\":true}",
                    "'options' has no field 'recursiv'; did you mean 'recursive'?"
                },
                {"--arg=options:={\"recursive\":true}", "'options.mode' is missing."}
            }) {
                RunningCommand.Result refused = run("alice", "approve", "ops", id, edit[0]);
                assertThat(refused.exit()).isEqualTo(1);
                assertThat(refused.err())
                        .contains(edit[1], "the proposal stays open", "(invalid_arguments)", "use --unchecked");
            }
            assertThat(tools.ran()).isEmpty();

            RunningCommand.Result approved =
                    run("alice", "approve", "ops", id, "--arg", "txet=safe", "--unchecked", "--wait");
            assertThat(approved.exit()).isZero();
            assertThat(approved.out()).startsWith("approved " + id + ", edited without a check: write_file ");
            assertThat(tools.ran()).singleElement().asString().contains("\"txet\":\"safe\"");
        }
    }

    @Test
    void aChangedDefinitionIsApprovedByItsDigest() throws Exception {
        try (TestToolParticipant tools = toolParticipant(true)) {
            String id = proposeWrite();
            tools.describe("Writes a file and mails it.");
            awaitTool(id, "changed");
            String page = run("alice", "show", "ops", id).out();
            assertThat(page)
                    .contains("- description: \"Writes a file.\"", "+ description: \"Writes a file and mails it.\"");
            String digest = page.replaceFirst("(?s).*--definition (sha256:[0-9a-f]+).*", "$1");
            for (String[] words : new String[][] {
                {"approve", "ops", id},
                {"approve", "ops", id, "--yes"},
                {"approve", "ops", id, "--definition", "sha256:00", "--yes"}
            }) {
                RunningCommand.Result refused = run("alice", words);
                assertThat(refused.exit()).as(refused.toString()).isNotZero();
                assertThat(refused.err()).contains("changed", digest);
            }
            assertThat(run("alice", "approve", "ops", id, "--definition", digest)
                            .err())
                    .contains("needs care", "changed since the call was proposed (description)", "--yes");
            assertThat(tools.ran()).isEmpty();

            RunningCommand.Result approved =
                    run("alice", "approve", "ops", id, "--definition", digest, "--yes", "--wait");
            assertThat(approved.exit()).as(approved.toString()).isZero();
            assertThat(tools.ran()).hasSize(1);
        }
    }

    @Test
    void anEditThatAddsAWarningNeedsCare() throws Exception {
        try (TestToolParticipant tools = toolParticipant(true)) {
            String id = proposeWrite();
            RunningCommand.Result refused =
                    run("alice", "approve", "ops", id, "--arg", "path=../../../etc/shadow\u200b");
            assertThat(refused.exit()).isEqualTo(2);
            assertThat(refused.err())
                    .contains("needs care", "path leaves its folder", "path contains 1 hidden character", "--yes");
            assertThat(tools.ran()).isEmpty();
            RunningCommand.Result harmless = run("alice", "approve", "ops", id, "--arg", "path=/tmp/y");
            assertThat(harmless.exit()).as(harmless.toString()).isZero();
        }
    }

    @Test
    @SuppressWarnings("try") // connected while the command runs
    void theConfirmationNamesTheEffectOnTheChosenRunner() throws Exception {
        try (TestToolParticipant tools = toolParticipant(true);
                TestSocket files = runner("files")) {
            String id = proposeWrite("--to", "tools");
            RunningCommand.Result refused = run("alice", "approve", "ops", id, "--to", "files");
            assertThat(refused.exit()).isEqualTo(2);
            assertThat(refused.err())
                    .contains("the call is addressed to tools, but would run on files", "what it does is unknown")
                    .doesNotContain("changes nothing");
            assertThat(tools.ran()).isEmpty();
        }
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
            assertThat(run("alice", "approve", "ops", id, "--to", "disk", "--yes")
                            .exit())
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
        assertThat(run("alice", "show", "ops", first).out()).contains("rejection by bob: policy (not now)");
    }

    @Test
    void aVetoThatDoesNotCountIsNotCalledARejection() throws Exception {
        String id = proposeWrite();
        RunningCommand.Result result = run("carol", "reject", "ops", id, "--reason", "unsafe");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.out())
                .isEqualTo(id + ": recorded; the proposal stays open: only members who could approve it can close"
                        + " it; it waits for alice or bob\n");
        RunningCommand.Result json = run("carol", "reject", "ops", id, "--reason", "unsafe", "--json");
        assertThat(json.exit()).isEqualTo(1);
        assertThat(json.json().at("closed").raw()).isEqualTo("false");
        assertThat(json.json().at("results").elements()).singleElement().satisfies(each -> {
            assertThat(each.at("proposal").text()).isEqualTo(id);
            assertThat(each.at("closed").raw()).isEqualTo("false");
        });
        assertThat(run("helper", "show", "ops", id).out())
                .contains("carol voted to reject it, but cannot close it (unsafe)")
                .contains("rejection by carol: unsafe")
                .doesNotContain("rejected");
    }

    @Test
    void anAbstentionSucceedsAndSaysForWhomTheProposalWaits() throws Exception {
        String id = proposeWrite();
        RunningCommand.Result result = run("bob", "reject", "ops", id, "--reason", "busy");
        assertThat(result.exit()).isZero();
        assertThat(result.out()).isEqualTo(id + ": abstention recorded; the proposal stays open: it waits for alice\n");
    }

    @Test
    void aBatchSaysForEachProposalWhetherItIsClosed() throws Exception {
        String first = proposeWrite();
        String second = proposeWrite();
        run("alice", "reject", "ops", second, "--reason", "busy");
        RunningCommand.Result result = run("bob", "reject", "ops", first, second, "--reason", "busy", "--json");
        assertThat(result.exit()).isZero();
        assertThat(result.json().at("closed").raw()).isEqualTo("false");
        assertThat(result.json().at("results").elements())
                .extracting(each -> each.at("closed").raw())
                .containsExactly("false", "true");
        Json vetoed = run("bob", "reject", "ops", first, "--reason", "unsafe", "--json")
                .json();
        assertThat(vetoed.at("closed").raw()).isEqualTo("true");
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
    void aMistypedCommandIsToldWhatIsWrongAndWhichCommandHelps() throws Exception {
        String id = proposeWrite();
        assertMistyped("missing STATUS. Use considering, queued, processing or unable.", "status", "ops", id);
        assertMistyped("missing ID. Name the proposals before the status.", "status", "ops", "queued");
        assertMistyped("missing required parameter: 'TOPIC'. See 'gavel proposals --help'.", "proposals");
        assertMistyped(
                "'abc' is not the number of a proposal; use a number such as 1286. See 'gavel sep next --help'.",
                "sep",
                "next",
                "abc");
        assertMistyped(
                "unknown command or argument 'add'. Did you mean 'set'? See 'gavel member --help'.",
                "member",
                "add",
                "ops",
                "bob");
        assertMistyped("the file nofile.md does not exist", "sep", "submit", "nofile.md");
        assertThat(run("alice", "proposals", "opps").err())
                .isEqualTo("gavel: there is no topic 'opps' (no_such_topic) Did you mean 'ops'?\n");
        assertThat(run("alice", "proposals", "elsewhere").err()).contains(" 'gavel topic list' lists your topics.");
        String unknown =
                "The topic has no proposal with the ID 'nope'. (unknown_proposal) 'gavel proposals ops' lists the proposals.\n";
        assertThat(run("alice", "show", "ops", "nope").err()).isEqualTo("gavel: " + unknown);
        assertThat(run("alice", "reject", "ops", "nope", "--reason", "policy").err())
                .endsWith(unknown);
    }

    private void assertMistyped(String message, String... words) throws Exception {
        RunningCommand.Result result = run("alice", words);
        assertThat(result.exit()).isEqualTo(2);
        assertThat(result.err()).isEqualTo("gavel: " + message + "\n");
    }

    @Test
    void theHelpSaysWhichTokenACommandUses() throws Exception {
        assertThat(run("alice", "approve", "--help").out())
                .contains("Default: your login (see 'gavel login').")
                .doesNotContain("token of 'agent'");
        assertThat(run("alice", "proposals", "--help").out())
                .contains("Default: your login (see 'gavel login'), or else the", "token of 'agent' in the local");
        assertThat(run("alice", "mcp", "--help").out())
                .contains("Default: the token of 'agent' in the local data directory.")
                .doesNotContain("Default: your login");
        assertThat(run("alice", "login", "--help").out()).contains("Default: the command asks for it.");
        assertThat(run("alice", "logout", "--help").out()).contains("Not needed");
        assertThat(run("alice", "health", "--help").out()).contains("Not needed");
    }

    @Test
    void anIdThatLooksLikeAFileOfArgumentsIsOnlyAnId() throws Exception {
        String victim = proposeWrite();
        Path file = Files.writeString(directory.resolve("words"), victim + " --yes");
        String id = "@" + file;
        try (TestSocket helper = server().join("helper");
                TestSocket files = runner("files")) {
            helper.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"" + id
                    + "\",\"kind\":\"mcp.proposal.tools/call:write_file\",\"payload\":{\"method\":\"tools/call\","
                    + "\"params\":{\"name\":\"write_file\"}}}");
            await().until(() -> run("alice", "show", "ops", id).exit() == 0);
            assertThat(run("alice", "approve", "ops", id).err()).contains(id + " needs care");
            assertThat(run("alice", "show", "ops", victim).out()).startsWith(victim + "  open\n");
            assertThat(run("alice", "show", "ops", id).out()).contains("gavel approve ops '" + id + "'\n");
            assertThat(files.status()).isEqualTo(101);
        }
    }

    @Test
    void anArgumentWithTheProposedValueIsNoEdit() throws Exception {
        String id = proposeWrite();
        try (TestSocket files = runner("files")) {
            assertThat(run("alice", "approve", "ops", id, "--arg", "path=/tmp/x", "--yes")
                            .out())
                    .startsWith("approved " + id + ": write_file path=/tmp/x\n");
            assertThat(files.status()).isEqualTo(101);
        }
        assertThat(run("alice", "show", "ops", id).out()).doesNotContain("edited");
    }

    @Test
    void aTopicWithoutALedgerKnowsNoProposals() throws Exception {
        RunningCommand.Result result = run("alice", "proposals", "relay");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("ledger");
    }
}
