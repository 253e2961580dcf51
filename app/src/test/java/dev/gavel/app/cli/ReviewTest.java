package dev.gavel.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.TestSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Proposals decided one by one: keys in, screen out, against a real server. */
class ReviewTest extends TerminalTest {
    private TestReview review(String identity) throws Exception {
        return new TestReview(url(), identity, "ops", Map.of());
    }

    /** A review by alice, with an editor that does this to the file. */
    private TestReview editing(String script) throws Exception {
        Path editor = Files.writeString(directory.resolve("editor"), "#!/bin/sh\n" + script + "\n");
        assertThat(editor.toFile().setExecutable(true)).isTrue();
        return new TestReview(url(), "alice", "ops", Map.of("EDITOR", editor + " --flag", "VISUAL", " "));
    }

    private String state(String id) throws Exception {
        return run("alice", "show", "ops", id, "--json").json().at("state").text();
    }

    @Test
    void aProposalIsShownInFullAndApprovedByAKey() throws Exception {
        String id = proposed("--arg", "text=evil\u202e\u001b[2J");
        try (TestSocket files = runner("files");
                TestReview alice = review("alice")) {
            alice.sees(
                    "ops: 1 to decide; proposed ",
                    id,
                    "call      write_file",
                    "\"path\": \"/tmp/x\"",
                    "evil\\u202e\\u001B[2J",
                    "from      helper",
                    "could run files",
                    "a approve");
            alice.type("a");
            assertThat(request(files)).contains(id, "\"path\":\"/tmp/x\"");
            alice.sees("Nothing to decide now", "approved " + id + ", run by files: write_file path=/tmp/x");
        }
    }

    @Test
    void theOutcomeOfWhatWasApprovedIsToldWhenItComes() throws Exception {
        String id = proposed();
        try (TestSocket files = runner("files");
                TestReview alice = review("alice")) {
            alice.sees(id).type("a");
            answer(files, "\"result\":{\"content\":[]}");
            alice.sees("; it succeeded");
            alice.type("q");
            alice.ends();
            assertThat(alice.decided())
                    .containsExactly("approved " + id + ", run by files: write_file path=/tmp/x; it succeeded");
        }
    }

    @Test
    void thatWhoeverWasToRunItLeftIsToldToo() throws Exception {
        String id = proposed();
        try (TestReview alice = review("alice")) {
            try (TestSocket files = runner("files")) {
                alice.sees("could run files").type("a");
                assertThat(request(files)).contains(id);
            }
            alice.sees("approved " + id, "files left before answering");
        }
    }

    @Test
    void whatIsEditedIsShownAsADifferenceAndSentWhenConfirmed() throws Exception {
        String id = proposed("--arg", "text=one\ntwo\nthree\nfour\nfive");
        try (TestSocket files = runner("files");
                TestReview alice = editing("[ \"$1\" = --flag ] || exit 9\n"
                        + "ls -l \"$2\" >" + directory.resolve("rights") + "\n"
                        + "sed -i 's#/tmp/x#/tmp/y#; s#three#3#' \"$2\"")) {
            alice.sees(id).type("e");
            alice.sees(
                    "your changes",
                    "- path: \"/tmp/x\"\n+ path: \"/tmp/y\"",
                    "  text:\n  one\n  two\n- three\n+ 3\n  four\n  five",
                    "y approve so");
            assertThat(directory.resolve("rights"))
                    .content()
                    .startsWith("-rw------- ")
                    .contains(".json");
            assertThat(state(id)).isEqualTo("open");
            alice.type("y");
            assertThat(request(files)).contains("{\"path\":\"/tmp/y\",", "one\\ntwo\\n3\\nfour\\nfive");
            alice.sees("approved " + id + ", edited, run by files");
        }
    }

    @Test
    void whatIsNoJsonAfterEditingIsShownWithItsPlaceAndCanBeMended() throws Exception {
        String id = proposed();
        try (TestReview alice = editing("if grep -q broken \"$2\"; then echo '{\"path\":\"/tmp/z\"}' >\"$2\";"
                + " else printf '{\\n  \"path\": broken\\n}' >\"$2\"; fi")) {
            alice.sees(id).type("e");
            alice.sees("That is not JSON: line 2, column ", "   2    \"path\": broken", "e edit again");
            alice.type("e");
            alice.sees("+ path: \"/tmp/z\"");
            alice.type("n");
            alice.sees("the edit was dropped", id + "  open");
            assertThat(state(id)).isEqualTo("open");
        }
    }

    @Test
    void anEditThatChangesNothingSaysSo() throws Exception {
        proposed();
        try (TestReview alice = editing("exit 0")) {
            alice.sees("a approve").type("e");
            alice.sees("nothing was changed", "a approve");
        }
        try (TestReview alice = editing("rm \"$2\"; exit 3")) {
            alice.sees("a approve").type("e");
            alice.sees("the editor ended with exit code 3, so nothing was changed");
        }
        try (TestReview alice =
                new TestReview(url(), "alice", "ops", Map.of("EDITOR", "/nowhere/editor 2>/dev/null"))) {
            alice.sees("a approve").type("e");
            alice.sees("there is no editor '/nowhere/editor 2>/dev/null'; set VISUAL or EDITOR to yours");
        }
    }

    @Test
    void aRejectionHasAReasonByNumberAndANote() throws Exception {
        String id = proposed();
        try (TestReview bob = review("bob")) {
            bob.sees(id).type("r");
            bob.sees("1  unsafe", "9  resource_limit", "reason: _");
            bob.type("2\r");
            bob.sees("rejected for 'policy'");
            bob.type("not herf\u007fe\r");
            bob.sees("rejected " + id + ": policy", "Nothing to decide now");
        }
        assertThat(run("helper", "show", "ops", id).out()).contains("rejected by bob: policy (not here)");
    }

    @Test
    void aRejectionMayHaveWordsOfItsOwnOrBeThoughtBetterOf() throws Exception {
        String id = proposed();
        try (TestReview bob = review("bob")) {
            bob.sees(id).type("r");
            bob.sees("reason: _").type("\r");
            bob.sees("say why, or leave with Esc").type("\u001b");
            bob.sees("a approve");
            assertThat(state(id)).isEqualTo("open");
            bob.type("r");
            bob.sees("reason: _").type("smells\r");
            bob.sees("rejected for 'smells'").type("\r");
            bob.sees("rejected " + id + ": smells");
        }
    }

    @Test
    void whatIsSkippedComesAgainWhenAskedFor() throws Exception {
        String first = proposed("--ttl", "5m");
        String second = proposed("--ttl", "10m");
        try (TestReview alice = review("alice")) {
            alice.sees(first + "  open").type("s");
            alice.sees(second + "  open", "1 of them skipped").type("s");
            alice.sees("2 skipped: s goes through them again").type("s");
            alice.sees(first + "  open");
        }
    }

    @Test
    void whatSomebodyElseDecidesSaysSoAndGoes() throws Exception {
        String first = proposed("--ttl", "5m");
        String second = proposed("--ttl", "10m");
        try (TestReview alice = review("alice")) {
            alice.sees(first + "  open").type("r");
            run("bob", "reject", "ops", first, "--reason", "unsafe");
            alice.sees("Nothing is left to decide about this one: rejected", "bob (unsafe)", "any key goes on");
            assertThat(alice.type("aaa"))
                    .as("what else was typed is for nobody")
                    .isTrue();
            alice.sees(second + "  open");
            assertThat(state(second)).isEqualTo("open");
            run("helper", "withdraw", "ops", second);
            alice.sees("withdrawn by helper");
            alice.type(" x");
            alice.sees("Nothing to decide now");
        }
    }

    @Test
    void whatIsTypedAheadIsNotMeantForTheNextProposal() throws Exception {
        String first = proposed("--ttl", "5m");
        String second = proposed("--ttl", "10m");
        try (TestSocket files = runner("files");
                TestReview alice = review("alice")) {
            alice.sees(first + "  open");
            assertThat(alice.type("aa")).isTrue();
            alice.sees(second + "  open");
            assertThat(request(files)).contains(first);
            assertThat(state(second)).isEqualTo("open");
        }
    }

    @Test
    void newProposalsComeByThemselvesAndOthersAreOnlyCounted() throws Exception {
        try (TestReview bob = review("bob")) {
            bob.sees("Nothing to decide now");
            String id = proposed();
            bob.sees(id + "  open");
        }
        try (TestReview files = review("files")) {
            files.sees("Nothing to decide now", "1 open here for others to decide");
        }
    }

    @Test
    void whoIsToRunItIsAskedWhereSeveralCould() throws Exception {
        String id = proposed();
        try (TestSocket files = runner("files");
                TestSocket disk = runner("disk");
                TestReview alice = review("alice")) {
            alice.sees("could run files, disk").type("a");
            alice.sees("Several could run it:", "1  files", "2  disk", "who runs it: _")
                    .type("1\r");
            assertThat(request(files)).contains(id);
            alice.sees("run by files");
            assertThat(disk.status()).isEqualTo(101);
        }
    }

    @Test
    void whatIsLongerThanTheWindowIsScrolledAndNotApprovedUnseen() throws Exception {
        StringBuilder text = new StringBuilder();
        for (int i = 1; i <= 60; i++) {
            text.append("line ").append(i).append('\n');
        }
        String id = proposed("--arg", "text=" + text);
        try (TestSocket files = runner("files");
                TestReview alice = review("alice")) {
            alice.sees("lines 1-", "; space shows more", "↳ line 9\\n").type("a");
            alice.sees("you have not seen all of it");
            assertThat(state(id)).isEqualTo("open");
            alice.type(" ");
            alice.sees("↳ line 40\\n");
            alice.canvas().resize(30, 12);
            alice.sees("a e r s c ? q");
            assertThat(alice.canvas().lines()).hasSizeLessThanOrEqualTo(12).allMatch(line -> line.length() < 30);
            alice.type("\u001b[F");
            alice.sees("proposed by helper").type("a");
            assertThat(request(files)).contains(id);
        }
    }

    @Test
    void aKeyTwiceApprovesWhatWasNotReadToItsEnd() throws Exception {
        String id = proposed("--arg", "text=" + "word ".repeat(2_000));
        try (TestSocket files = runner("files");
                TestReview alice = review("alice")) {
            alice.sees("space shows more").type("a");
            alice.sees("you have not seen all of it").type("a");
            assertThat(request(files)).contains(id);
        }
    }

    @Test
    void whoeverProposedItIsToldThatItIsConsidered() throws Exception {
        String id = proposed();
        try (TestReview bob = review("bob")) {
            bob.sees(id).type("c");
            bob.sees("told helper that you are considering it", "bob says considering");
        }
    }

    @Test
    void theKeysAreExplained() throws Exception {
        try (TestReview alice = review("alice")) {
            alice.sees("Nothing to decide now").type("?");
            alice.sees("a   approve", "any key goes back").type("x");
            alice.sees("Nothing to decide now").type("\u0003");
            alice.ends();
            assertThat(alice.decided()).isEmpty();
        }
    }

    @Test
    void aServerThatGoesAndComesIsWaitedFor() throws Exception {
        String id = proposed();
        try (TestReview alice = review("alice")) {
            alice.sees(id);
            restart(() -> alice.sees("lost the server"));
            alice.sees("the server is back", id + "  open");
        }
    }

    @Test
    void whatComesNextIsReadOnceTheServerIsBack() throws Exception {
        String first = proposed("--ttl", "5m");
        String second = proposed("--ttl", "10m");
        try (TestReview alice = review("alice")) {
            alice.sees(first + "  open");
            restart(() -> {
                alice.sees("lost the server");
                alice.typing("s");
                alice.sees("The next one cannot be read now");
                alice.typing("arec");
                alice.sees("The next one cannot be read now");
            });
            alice.sees("the server is back", second + "  open");
            assertThat(state(first)).isEqualTo("open");
            assertThat(state(second)).isEqualTo("open");
        }
    }

    @Test
    void anEditOutlivesThatItCouldNotBeSent() throws Exception {
        String id = proposed();
        try (TestReview alice = editing("sed -i 's#/tmp/x#/tmp/y#' \"$2\"")) {
            alice.sees(id).type("e");
            alice.sees("+ path: \"/tmp/y\"").type("y");
            alice.sees("who runs it: _").type("\u001b");
            alice.sees("+ path: \"/tmp/y\"", "y approve so").type("y");
            alice.sees("who runs it: _").type("nobody\r");
            alice.sees("nobody", "+ path: \"/tmp/y\"", "y approve so");
            restart(() -> {
                alice.sees("lost the server");
                alice.typing("y");
                alice.sees("who runs it: _");
                alice.typing("files\r");
                alice.sees("+ path: \"/tmp/y\"", "y approve so");
            });
            alice.sees("the server is back", "+ path: \"/tmp/y\"");
            assertThat(state(id)).isEqualTo("open");
        }
    }

    @Test
    void anEditorThatFailsLosesNoEarlierEdit() throws Exception {
        String id = proposed();
        try (TestReview alice = editing("grep -q /tmp/y \"$2\" && exit 4; sed -i 's#/tmp/x#/tmp/y#' \"$2\"")) {
            alice.sees(id).type("e");
            alice.sees("+ path: \"/tmp/y\"").type("e");
            alice.sees("exit code 4", "+ path: \"/tmp/y\"", "y approve so");
        }
    }

    @Test
    void aWindowThatIsTooSmallSaysSoAndNothingIsDecidedInIt() throws Exception {
        String id = proposed();
        try (TestSocket files = runner("files");
                TestReview alice = review("alice")) {
            alice.sees("could run files");
            alice.canvas().resize(20, 4);
            alice.sees("window too small").type("aa");
            alice.canvas().resize(5, 3);
            alice.sees("wind\n");
            assertThat(alice.canvas().lines()).hasSizeLessThanOrEqualTo(3).allMatch(line -> line.length() < 5);
            assertThat(state(id)).isEqualTo("open");
            assertThat(files.status()).isEqualTo(101);
            alice.type("q");
            alice.ends();
        }
    }

    @Test
    void picturesMakeNoLineWiderThanTheWindow() throws Exception {
        proposed("--arg", "note=" + "\u2705".repeat(700));
        try (TestReview alice = review("alice")) {
            alice.canvas().resize(100, 24);
            alice.sees("call      write_file", "space shows more");
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
                TestReview alice = review("alice")) {
            helper.send(
                    "{\"protocol\":\"mcpx/v0.1\",\"id\":\"p-odd\",\"kind\":\"mcp.proposal.tools/call:t\",\"payload\":"
                            + "{\"method\":\"tools/call\",\"params\":{\"name\":\"t\",\"_meta\":{\"x\":\"hidden?\"}}}}");
            alice.sees("p-odd  open", "hidden?");
        }
    }

    @Test
    void withoutATerminalItSaysWhatToUseInstead() throws Exception {
        TypedCommand.Result result = run("alice", "review", "ops");
        assertThat(result.exit()).isEqualTo(2);
        assertThat(result.err()).contains("review needs a terminal", "gavel proposals ops --state open");
        assertThat(run("alice", "review", "ops", "--json").err()).contains("prints no JSON");
    }
}
