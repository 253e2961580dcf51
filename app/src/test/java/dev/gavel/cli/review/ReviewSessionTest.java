package dev.gavel.cli.review;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.TestSocket;
import dev.gavel.app.command.CommandTestBase;
import dev.gavel.app.command.RunningCommand;
import dev.gavel.app.command.TestToolParticipant;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests reviewing proposals one by one: keys in, screen out, against a real server. */
class ReviewSessionTest extends CommandTestBase {
    private TestReviewer review(String identity) throws Exception {
        return new TestReviewer(url(), identity, "ops", Map.of());
    }

    /** Starts a review by alice with an editor script that changes the file. */
    private TestReviewer reviewWithEditor(String script) throws Exception {
        Path editor = Files.writeString(directory.resolve("editor"), "#!/bin/sh\n" + script + "\n");
        assertThat(editor.toFile().setExecutable(true)).isTrue();
        return new TestReviewer(url(), "alice", "ops", Map.of("EDITOR", editor + " --flag", "VISUAL", " "));
    }

    private String state(String id) throws Exception {
        return run("alice", "show", "ops", id, "--json").json().at("state").text();
    }

    @Test
    void aProposalIsShownInFullAndApprovedByAKey() throws Exception {
        String id = proposeWrite("--arg", "text=evil\u202e\u001b[2J");
        try (TestSocket files = runner("files");
                TestReviewer alice = review("alice")) {
            alice.awaitShown(
                    "ops: 1 to decide; proposed ",
                    id,
                    "call        write_file",
                    "\"path\": \"/tmp/x\"",
                    "evil\\u202e\\u001b[2J",
                    "effect      No connected participant lists this tool, so what it does is unknown.",
                    "check       text contains 2 hidden characters or unusual spaces, shown as escapes",
                    "from        helper",
                    "can run on  files",
                    "a approve");
            alice.type("a");
            alice.awaitShown("on files?", "No connected participant lists this tool", "y approve");
            // Another key must confirm: the same key may repeat.
            alice.type("a");
            assertThat(state(id)).isEqualTo("open");
            alice.type("y");
            assertThat(request(files)).contains(id, "\"path\":\"/tmp/x\"");
            alice.awaitShown("No proposals to decide", "approved " + id + ", runs on files: write_file path=/tmp/x");
        }
    }

    @Test
    void theOutcomeOfWhatWasApprovedIsToldWhenItComes() throws Exception {
        String id = proposeWrite();
        try (TestSocket files = runner("files");
                TestReviewer alice = review("alice")) {
            alice.awaitShown(id).type("a");
            alice.awaitShown("y approve").type("y");
            answer(files, "\"result\":{\"content\":[]}");
            alice.awaitShown("; it succeeded");
            alice.type("q");
            alice.awaitEnd();
            assertThat(alice.decisionTexts())
                    .containsExactly("approved " + id + ", runs on files: write_file path=/tmp/x; it succeeded");
        }
    }

    @Test
    void thatWhoeverWasToRunItLeftIsToldToo() throws Exception {
        String id = proposeWrite();
        try (TestReviewer alice = review("alice")) {
            try (TestSocket files = runner("files")) {
                alice.awaitShown("can run on  files").type("a");
                alice.awaitShown("y approve").type("y");
                assertThat(request(files)).contains(id);
            }
            alice.awaitShown("approved " + id, "files disconnected before responding");
        }
    }

    @Test
    void whatIsEditedIsShownAsADifferenceAndSentWhenConfirmed() throws Exception {
        String id = proposeWrite("--arg", "text=one\ntwo\nthree\nfour\nfive");
        try (TestSocket files = runner("files");
                TestReviewer alice = reviewWithEditor("[ \"$1\" = --flag ] || exit 9\n"
                        + "ls -l \"$2\" >" + directory.resolve("rights") + "\n"
                        + "sed -i 's#/tmp/x#/tmp/y#; s#three#3#' \"$2\"")) {
            alice.awaitShown(id).type("e");
            alice.awaitShown(
                    "your changes",
                    "- path: \"/tmp/x\"\n+ path: \"/tmp/y\"",
                    "  text:\n  one\n  two\n- three\n+ 3\n  four\n  five",
                    "a approve   e edit again");
            assertThat(directory.resolve("rights"))
                    .content()
                    .startsWith("-rw------- ")
                    .contains(".json");
            // An edited call that needs care takes the same second step as the proposed one.
            alice.type("a");
            alice.awaitShown("Run write_file path=/tmp/y", "You edited the arguments.", "y approve   n go back");
            alice.type("n");
            alice.awaitShown("nothing approved", "+ path: \"/tmp/y\"").type("a");
            alice.awaitShown("y approve   n go back");
            assertThat(state(id)).isEqualTo("open");
            alice.type("y");
            assertThat(request(files)).contains("{\"path\":\"/tmp/y\",", "one\\ntwo\\n3\\nfour\\nfive");
            // No participant lists the tool, so there is no schema to check the edit against.
            alice.awaitShown("approved " + id + ", edited without a check, runs on files");
        }
    }

    @Test
    void anEditedCallRunsWithASecretThatTheReviewerDidNotSee() throws Exception {
        String id = proposeWrite("--arg", "password=hunter2-hunter2");
        try (TestSocket files = runner("files");
                TestReviewer alice = reviewWithEditor("sed -i 's#/tmp/x#/tmp/y#' \"$2\"")) {
            alice.awaitShown(id).type("e");
            alice.awaitShown("+ path: \"/tmp/y\"", "e edit again");
            assertThat(alice.canvas().shown()).doesNotContain("hunter2");
            alice.type("a");
            alice.awaitShown("y approve").type("y");
            assertThat(request(files)).contains("{\"path\":\"/tmp/y\",\"password\":\"hunter2-hunter2\"}");
            alice.awaitShown("approved " + id);
            assertThat(alice.canvas().shown()).doesNotContain("hunter2");
        }
    }

    @Test
    void anEditThatFailsTheCheckStaysAndAnotherKeyApprovesItWithoutTheCheck() throws Exception {
        try (TestToolParticipant tools = toolParticipant(false)) {
            String id = proposeWrite("--arg", "text=one");
            try (TestReviewer alice = reviewWithEditor("sed -i 's#\"text\"#\"txet\"#' \"$2\"")) {
                alice.awaitShown(id, "can run on  tools").type("e");
                alice.awaitShown("u approve without the check").type("a");
                alice.awaitShown("y approve").type("y");
                alice.awaitShown("has no argument 'txet'; did you mean 'text'?", "+ txet: \"one\"");
                assertThat(state(id)).isEqualTo("open");
                alice.type("u");
                alice.awaitShown("You edited the arguments, and they will not be checked.", "y approve")
                        .type("u");
                assertThat(state(id)).isEqualTo("open");
                // The decision not to check is not kept for the next attempt.
                alice.type("n");
                alice.awaitShown("nothing approved").type("a");
                alice.awaitShown("y approve").type("y");
                alice.awaitShown("did you mean 'text'?").type("u");
                alice.awaitShown("y approve").type("y");
                alice.awaitShown("approved " + id + ", edited without a check, runs on tools");
            }
            await().until(() -> tools.ran().equals(List.of("{\"path\":\"/tmp/x\",\"txet\":\"one\"}")));
        }
    }

    @Test
    void anEditOfACallThatNeedsNoCareIsApprovedByOneKey() throws Exception {
        try (TestToolParticipant tools = toolParticipant(true)) {
            String id = proposeWrite();
            try (TestReviewer alice = reviewWithEditor("sed -i 's#/tmp/x#/tmp/y#' \"$2\"")) {
                alice.awaitShown(id).type("e");
                alice.awaitShown("+ path: \"/tmp/y\"").type("a");
                alice.awaitShown("approved " + id + ", edited, runs on tools");
            }
            await().until(() -> tools.ran().equals(List.of("{\"path\":\"/tmp/y\"}")));
        }
    }

    @Test
    void anEditThatAddsAWarningIsConfirmed() throws Exception {
        try (TestToolParticipant tools = toolParticipant(true)) {
            String id = proposeWrite();
            try (TestReviewer alice = reviewWithEditor("sed -i 's#/tmp/x#../etc/x#' \"$2\"")) {
                alice.awaitShown(id).type("e");
                alice.awaitShown("+ path: \"../etc/x\"").type("a");
                alice.awaitShown("Check: path leaves its folder", "y approve   n go back")
                        .type("y");
                alice.awaitShown("approved " + id + ", edited, runs on tools");
            }
            await().until(() -> tools.ran().equals(List.of("{\"path\":\"../etc/x\"}")));
        }
    }

    @Test
    void aChangedDefinitionIsApprovedByItsOwnKeyAndConfirmed() throws Exception {
        try (TestToolParticipant tools = toolParticipant(true)) {
            String id = proposeWrite();
            try (TestReviewer alice = review("alice")) {
                alice.awaitShown(id).type("d");
                alice.awaitShown("the definition of the tool has not changed");
                assertThat(state(id)).isEqualTo("open");
            }
            tools.describe("Writes a file and mails it.");
            awaitTool(id, "changed");
            try (TestReviewer alice = review("alice")) {
                alice.awaitShown("To approve it for the current definition: press d")
                        .type("a");
                alice.awaitShown("the definition of the tool changed after the call was proposed")
                        .type("d");
                alice.awaitShown("+ description: \"Writes a file and mails it.\"", "y approve   n go back")
                        .type("d");
                assertThat(state(id)).isEqualTo("open");
                alice.type("n");
                alice.awaitShown("nothing approved").type("a");
                alice.awaitShown("the definition of the tool changed after").type("d");
                alice.awaitShown("y approve").type("y");
                alice.awaitShown("approved " + id + ", runs on tools");
            }
            await().until(() -> tools.ran().size() == 1);
        }
    }

    @Test
    void anEditOfACallWhoseToolChangedTakesTheSameSteps() throws Exception {
        try (TestToolParticipant tools = toolParticipant(true)) {
            String id = proposeWrite("--arg", "text=one");
            tools.describe("Writes a file and mails it.");
            awaitTool(id, "changed");
            try (TestReviewer alice = reviewWithEditor("sed -i 's#\"text\"#\"txet\"#' \"$2\"")) {
                alice.awaitShown(id).type("e");
                alice.awaitShown("+ txet: \"one\"").type("u");
                alice.awaitShown("the definition of the tool changed after").type("d");
                alice.awaitShown("they will not be checked", "Writes a file and mails it.", "y approve")
                        .type("y");
                alice.awaitShown("approved " + id + ", edited without a check, runs on tools");
            }
            await().until(() -> tools.ran().equals(List.of("{\"path\":\"/tmp/x\",\"txet\":\"one\"}")));
        }
    }

    @Test
    void whatIsNoJsonAfterEditingIsShownWithItsPlaceAndCanBeMended() throws Exception {
        String id = proposeWrite();
        try (TestReviewer alice =
                reviewWithEditor("if grep -q broken \"$2\"; then echo '{\"path\":\"/tmp/z\"}' >\"$2\";"
                        + " else printf '{\\n  \"path\": broken\\n}' >\"$2\"; fi")) {
            alice.awaitShown(id).type("e");
            alice.awaitShown("Invalid JSON: line 2, column ", "   2    \"path\": broken", "e edit again");
            alice.type("e");
            alice.awaitShown("+ path: \"/tmp/z\"");
            alice.type("n");
            alice.awaitShown("edit discarded", id + "  open");
            assertThat(state(id)).isEqualTo("open");
        }
    }

    @Test
    void anEditThatChangesNothingSaysSo() throws Exception {
        proposeWrite();
        try (TestReviewer alice = reviewWithEditor("exit 0")) {
            alice.awaitShown("a approve").type("e");
            alice.awaitShown("the arguments are unchanged", "a approve");
        }
        try (TestReviewer alice = reviewWithEditor("rm \"$2\"; exit 3")) {
            alice.awaitShown("a approve").type("e");
            alice.awaitShown("the editor ended with exit code 3, so nothing was changed");
        }
        try (TestReviewer alice =
                new TestReviewer(url(), "alice", "ops", Map.of("EDITOR", "/nowhere/editor 2>/dev/null"))) {
            alice.awaitShown("a approve").type("e");
            alice.awaitShown("cannot find the editor '/nowhere/editor 2>/dev/null'; set VISUAL or EDITOR");
        }
    }

    @Test
    void aRejectionHasAReasonByNumberAndANote() throws Exception {
        String id = proposeWrite();
        try (TestReviewer bob = review("bob")) {
            bob.awaitShown(id).type("r");
            bob.awaitShown("1  unsafe", "9  resource_limit", "reason: _");
            bob.type("2\r");
            bob.awaitShown("reject with reason 'policy'");
            bob.type("not herf\u007fe\r");
            bob.awaitShown("rejected " + id + ": policy", "No proposals to decide");
        }
        assertThat(run("helper", "show", "ops", id).out()).contains("rejection by bob: policy (not here)");
    }

    @Test
    void anAbstentionIsNotCalledARejection() throws Exception {
        String id = proposeWrite();
        try (TestReviewer bob = review("bob")) {
            bob.awaitShown(id).type("r");
            bob.awaitShown("reason: _").type("busy\r");
            bob.awaitShown("reject with reason 'busy'").type("\r");
            bob.awaitShown(id + " (busy): abstention recorded; the proposal stays open: it waits for alice");
        }
        assertThat(state(id)).isEqualTo("open");
    }

    @Test
    void aRejectionMayHaveWordsOfItsOwnOrBeThoughtBetterOf() throws Exception {
        String id = proposeWrite();
        try (TestReviewer bob = review("bob")) {
            bob.awaitShown(id).type("r");
            bob.awaitShown("reason: _").type("\r");
            bob.awaitShown("type a reason, or press Esc to go back").type("\u001b");
            bob.awaitShown("a approve");
            assertThat(state(id)).isEqualTo("open");
            bob.type("r");
            bob.awaitShown("reason: _").type("smells\r");
            bob.awaitShown("reject with reason 'smells'").type("\r");
            bob.awaitShown("rejected " + id + ": smells");
        }
    }

    @Test
    void escapeAsksBeforeItDiscardsWhatWasTyped() throws Exception {
        proposeWrite();
        try (TestReviewer bob = review("bob")) {
            bob.awaitShown("a approve").type("r");
            bob.awaitShown("reason: _").type("half");
            bob.type("\u001b");
            bob.awaitShown("reason: half_", "press Esc again to discard what you typed")
                    .type("\u001b");
            bob.awaitShown("a approve");
        }
        try (TestReviewer alice = reviewWithEditor("sed -i 's#/tmp/x#/tmp/y#' \"$2\"")) {
            alice.awaitShown("a approve").type("e");
            alice.awaitShown("+ path: \"/tmp/y\"").type("\u001b");
            alice.awaitShown("+ path: \"/tmp/y\"", "press n to discard the edit");
        }
    }

    @Test
    void whatIsSkippedComesAgainWhenAskedFor() throws Exception {
        String first = proposeWrite("--ttl", "5m");
        String second = proposeWrite("--ttl", "10m");
        try (TestReviewer alice = review("alice")) {
            alice.awaitShown(first + "  open").type("s");
            alice.awaitShown(second + "  open", "2 to decide, 1 skipped").type("s");
            alice.awaitShown("2 skipped: press s to review them again").type("s");
            alice.awaitShown(first + "  open");
        }
    }

    @Test
    void whatSomebodyElseDecidesSaysSoAndGoes() throws Exception {
        String first = proposeWrite("--ttl", "5m");
        String second = proposeWrite("--ttl", "10m");
        try (TestReviewer alice = review("alice")) {
            alice.awaitShown(first + "  open").type("r");
            alice.awaitShown("reason: _").type("too ris");
            run("bob", "reject", "ops", first, "--reason", "unsafe");
            alice.awaitShown(
                    "You can no longer decide this proposal: rejected",
                    "bob (unsafe)",
                    "Your text was not sent:\n  too ris",
                    "press Enter to continue");
            // The rest of what alice types is not meant for the next proposal.
            alice.type("ky");
            alice.awaitShown("You can no longer decide this proposal");
            assertThat(alice.type("\raaa"))
                    .as("what else was typed is for nobody")
                    .isTrue();
            alice.awaitShown(second + "  open");
            assertThat(state(second)).isEqualTo("open");
            run("helper", "withdraw", "ops", second);
            alice.awaitShown("withdrawn by helper");
            alice.type("\r");
            alice.awaitShown("No proposals to decide");
        }
    }

    @Test
    void whatIsTypedAheadIsNotMeantForTheNextProposal() throws Exception {
        String first = proposeWrite("--ttl", "5m");
        String second = proposeWrite("--ttl", "10m");
        try (TestSocket files = runner("files");
                TestReviewer alice = review("alice")) {
            alice.awaitShown(first + "  open");
            assertThat(alice.type("aa")).isTrue();
            alice.awaitShown("y approve");
            assertThat(alice.type("yy")).isTrue();
            alice.awaitShown(second + "  open");
            assertThat(request(files)).contains(first);
            assertThat(state(second)).isEqualTo("open");
        }
    }

    @Test
    void newProposalsComeByThemselvesAndOthersAreOnlyCounted() throws Exception {
        try (TestReviewer bob = review("bob")) {
            bob.awaitShown("No proposals to decide");
            String id = proposeWrite();
            bob.awaitShown(id + "  open");
        }
        try (TestReviewer files = review("files")) {
            files.awaitShown("No proposals to decide", "1 that you cannot decide");
        }
    }

    @Test
    void whoIsToRunItIsAskedWhereSeveralCould() throws Exception {
        String id = proposeWrite();
        try (TestSocket files = runner("files");
                TestSocket disk = runner("disk");
                TestReviewer alice = review("alice")) {
            alice.awaitShown("can run on  files, disk").type("a");
            alice.awaitShown("y approve").type("y");
            alice.awaitShown("Several participants can run the call:", "1  files", "2  disk", "run on: _")
                    .type("1\r");
            assertThat(request(files)).contains(id);
            alice.awaitShown("runs on files");
            assertThat(disk.status()).isEqualTo(101);
        }
    }

    @Test
    void whatIsLongerThanTheWindowIsScrolledAndNotApprovedUnseen() throws Exception {
        StringBuilder text = new StringBuilder();
        for (int i = 1; i <= 60; i++) {
            text.append("line ").append(i).append('\n');
        }
        String id = proposeWrite("--arg", "text=" + text);
        try (TestSocket files = runner("files");
                TestReviewer alice = review("alice")) {
            alice.awaitShown("lines 1-", "; press space for more", "│ line 9\n").type("a");
            alice.awaitShown("You have not seen the whole proposal.").type("n");
            alice.awaitShown("nothing approved", "lines 1-");
            assertThat(state(id)).isEqualTo("open");
            alice.type(" ");
            alice.awaitShown("│ line 40\n");
            alice.canvas().resize(30, 12);
            alice.awaitShown("a e r s c ? q");
            assertThat(alice.canvas().lines()).hasSizeLessThanOrEqualTo(12).allMatch(line -> line.length() < 30);
            alice.type("\u001b[F");
            alice.awaitShown("proposed by helper").type("a");
            alice.awaitShown("y approve   n go back");
            assertThat(alice.canvas().shown()).doesNotContain("You have not seen");
            alice.type("y");
            assertThat(request(files)).contains(id);
        }
    }

    @Test
    void anotherKeyApprovesWhatWasNotReadToItsEnd() throws Exception {
        String id = proposeWrite("--arg", "text=" + "word ".repeat(2_000));
        try (TestSocket files = runner("files");
                TestReviewer alice = review("alice")) {
            alice.awaitShown("press space for more").type("a");
            alice.awaitShown("You have not seen the whole proposal.").type("y");
            assertThat(request(files)).contains(id);
        }
    }

    @Test
    void whoeverProposedItIsToldThatItIsConsidered() throws Exception {
        String id = proposeWrite();
        try (TestReviewer bob = review("bob")) {
            bob.awaitShown(id).type("c");
            bob.awaitShown("told helper that you are considering it", "status from bob: considering");
        }
    }

    @Test
    void theKeysAreExplained() throws Exception {
        try (TestReviewer alice = review("alice")) {
            alice.awaitShown("No proposals to decide").type("?");
            alice.awaitShown("a   approve", "press any key to go back").type("x");
            alice.awaitShown("No proposals to decide").type("\u0003");
            alice.awaitEnd();
            assertThat(alice.decisionTexts()).isEmpty();
        }
    }

    @Test
    void aServerThatGoesAndComesIsWaitedFor() throws Exception {
        String id = proposeWrite();
        try (TestReviewer alice = review("alice")) {
            alice.awaitShown(id);
            restart(() -> alice.awaitShown("the connection to the server"));
            alice.awaitShown("reconnected to the server", id + "  open");
        }
    }

    @Test
    void whatComesNextIsReadOnceTheServerIsBack() throws Exception {
        String first = proposeWrite("--ttl", "5m");
        String second = proposeWrite("--ttl", "10m");
        try (TestReviewer alice = review("alice")) {
            alice.awaitShown(first + "  open");
            restart(() -> {
                alice.awaitShown("the connection to the server");
                alice.typeUnchecked("s");
                alice.awaitShown("The next proposal cannot be loaded");
                alice.typeUnchecked("arec");
                alice.awaitShown("The next proposal cannot be loaded");
            });
            alice.awaitShown("reconnected to the server", second + "  open");
            assertThat(state(first)).isEqualTo("open");
            assertThat(state(second)).isEqualTo("open");
        }
    }

    @Test
    void anEditOutlivesThatItCouldNotBeSent() throws Exception {
        String id = proposeWrite();
        try (TestReviewer alice = reviewWithEditor("sed -i 's#/tmp/x#/tmp/y#' \"$2\"")) {
            alice.awaitShown(id).type("e");
            alice.awaitShown("+ path: \"/tmp/y\"").type("a");
            alice.awaitShown("y approve").type("y");
            alice.awaitShown("run on: _").type("\u001b");
            alice.awaitShown("+ path: \"/tmp/y\"", "a approve   e edit again").type("a");
            alice.awaitShown("y approve").type("y");
            alice.awaitShown("run on: _").type("nobody\r");
            alice.awaitShown("nobody", "+ path: \"/tmp/y\"", "a approve   e edit again");
            alice.type("a");
            alice.awaitShown("y approve");
            restart(() -> {
                alice.awaitShown("the connection to the server");
                alice.typeUnchecked("y");
                alice.awaitShown("run on: _");
                alice.typeUnchecked("files\r");
                alice.awaitShown("+ path: \"/tmp/y\"", "a approve   e edit again");
            });
            alice.awaitShown("reconnected to the server", "+ path: \"/tmp/y\"");
            assertThat(state(id)).isEqualTo("open");
        }
    }

    @Test
    void anEditorThatFailsLosesNoEarlierEdit() throws Exception {
        String id = proposeWrite();
        try (TestReviewer alice =
                reviewWithEditor("grep -q /tmp/y \"$2\" && exit 4; sed -i 's#/tmp/x#/tmp/y#' \"$2\"")) {
            alice.awaitShown(id).type("e");
            alice.awaitShown("+ path: \"/tmp/y\"").type("e");
            alice.awaitShown("exit code 4", "+ path: \"/tmp/y\"", "a approve   e edit again");
        }
    }

    @Test
    void aWindowThatIsTooSmallSaysSoAndNothingIsDecidedInIt() throws Exception {
        String id = proposeWrite();
        try (TestSocket files = runner("files");
                TestReviewer alice = review("alice")) {
            alice.awaitShown("can run on  files");
            alice.canvas().resize(20, 4);
            alice.awaitShown("window too small").type("aa");
            alice.canvas().resize(5, 3);
            alice.awaitShown("wind\n");
            assertThat(alice.canvas().lines()).hasSizeLessThanOrEqualTo(3).allMatch(line -> line.length() < 5);
            assertThat(state(id)).isEqualTo("open");
            assertThat(files.status()).isEqualTo(101);
            alice.type("q");
            alice.awaitEnd();
        }
    }

    @Test
    void picturesMakeNoLineWiderThanTheWindow() throws Exception {
        proposeWrite("--arg", "note=" + "\u2705".repeat(700));
        try (TestReviewer alice = review("alice")) {
            alice.canvas().resize(100, 24);
            alice.awaitShown("call        write_file", "press space for more");
            assertThat(alice.canvas().lines())
                    .allMatch(line -> line.length()
                                    + line.chars()
                                            .filter(each -> each == 0x2705)
                                            .count()
                            < 100);
        }
    }

    @Test
    void everythingThatIsSentOnIsShown() throws Exception {
        try (TestSocket helper = runner("helper");
                TestReviewer alice = review("alice")) {
            helper.send(
                    "{\"protocol\":\"mcpx/v0.1\",\"id\":\"p-odd\",\"kind\":\"mcp.proposal.tools/call:t\",\"payload\":"
                            + "{\"method\":\"tools/call\",\"params\":{\"name\":\"t\",\"_meta\":{\"x\":\"hidden?\"}}}}");
            alice.awaitShown("p-odd  open", "metadata    1 field, 15 characters from the client; press m to see them");
            alice.type("m");
            alice.awaitShown("\"x\": \"hidden?\"");
        }
    }

    @Test
    void withoutATerminalItSaysWhatToUseInstead() throws Exception {
        RunningCommand.Result result = run("alice", "review", "ops");
        assertThat(result.exit()).isEqualTo(2);
        assertThat(result.err()).contains("'gavel review' needs a terminal", "gavel proposals ops --state open");
        assertThat(run("alice", "review", "ops", "--json").err()).contains("prints no JSON");
    }
}
