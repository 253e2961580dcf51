package dev.gavel.web.sep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.json.Json;
import dev.gavel.web.sep.SepTestServer.CommandOutput;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code gavel sep} against a running server. */
class SepCommandTest {
    @TempDir
    private Path directory;

    private SepTestServer sepServer;

    @BeforeEach
    void open() throws Exception {
        sepServer = new SepTestServer(directory);
        Files.writeString(directory.resolve("paging.md"), SepTestServer.DOCUMENT);
    }

    @AfterEach
    void close() {
        sepServer.close();
    }

    @Test
    void whatScriptsRelyOnIsThere() {
        assertThat(sepServer
                        .runCommand("alice", "submit", "paging.md", "--json")
                        .json()
                        .at("number")
                        .asLong(0))
                .isEqualTo(1);
        assertThat(sepServer.runCommand("alice", "show", "1", "--json").json().members())
                .containsKeys("number", "title", "status", "type", "authors", "sponsor");
        assertThat(sepServer
                        .runCommand("alice", "next", "SEP-1", "--json")
                        .json()
                        .members())
                .containsKeys("status", "since", "mustAct", "waitingOn", "nextStep", "toAdvance", "expectedBy");
    }

    @Test
    void eachIsToldWhatHappenedAndWhatToDoNext() {
        assertThat(sepServer.runCommand("alice", "submit", "paging.md").out())
                .contains("submitted as SEP-1", "next step:");
        assertThat(sepServer.runCommand("bob", "triage").out()).contains("Paging for every list");
        assertThat(sepServer.runCommand("bob", "sponsor", "1").out()).contains("bob became sponsor.", "next step:");
        assertThat(sepServer
                        .runCommand("alice", "ask", "1", "bob", "Is it clear?")
                        .exit())
                .isZero();
        assertThat(sepServer
                        .runCommand("alice", "attach", "1", "discussion=https://example.org/1")
                        .exit())
                .isZero();
        assertThat(sepServer
                        .runCommand("bob", "attach", "1", "goals=https://example.org/minutes")
                        .exit())
                .isZero();
        assertThat(sepServer.runCommand("carol", "next", "1").out())
                .contains("to confirm:   goals of bob ('gavel sep confirm 1 goals')");
        assertThat(sepServer.runCommand("carol", "confirm", "1", "goals").out()).contains("carol confirmed");
        assertThat(sepServer.runCommand("bob", "move", "1", "provisional").out())
                .contains("bob moved the SEP from draft to provisional");
        assertThat(sepServer.runCommand("alice", "next", "1").out()).contains("must act:", "[ ] ", "deadline:");
        assertThat(sepServer.runCommand("alice", "list", "--open").out()).contains("provisional");
        assertThat(sepServer.runCommand("alice", "list", "--finished").out()).contains("no matching SEPs");
        assertThat(sepServer.runCommand("alice", "history", "1").out()).contains("alice submitted the SEP");
        assertThat(sepServer.runCommand("alice", "maintainers").out()).contains("carol", "1/5");
        assertThat(sepServer
                        .runCommand("alice", "similar", "--text", "paging.md")
                        .out())
                .contains("Paging");
        assertThat(sepServer.runCommand("alice", "explain", "1", "in-review").out())
                .contains("only the sponsor");
        assertThat(sepServer.runCommand("alice", "inbox").out()).contains("Paging");
        assertThat(sepServer
                        .runCommand("dave", "sweep", "--as-of", "2099-01-31")
                        .out())
                .startsWith("dry run as of 2099-01-31:");
        assertThat(sepServer.runCommand("alice", "stats", "--svg", "days.svg").out())
                .contains("1 SEP, 1 open");
        assertThat(directory.resolve("days.svg")).content().contains("<svg", "Time in each state");
        assertThat(sepServer
                        .runCommand("alice", "withdraw", "1", "--reason", "solved elsewhere")
                        .exit())
                .isZero();
    }

    @Test
    void aRefusalEndsWithOneAndSaysWhyAndWhatIsTypedWrongWithTwo() {
        sepServer.runCommand("alice", "submit", "paging.md");

        CommandOutput refused = sepServer.runCommand("alice", "sponsor", "1");
        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.err()).contains("maintainer", "not_allowed");
        CommandOutput notification = sepServer.runCommand("alice", "sponsor", "1", "--json");
        assertThat(notification.json().at("code").text()).isEqualTo("not_allowed");
        assertThat(notification.json().at("whoMay").texts()).isNotEmpty();
        assertThat(sepServer.runCommand("alice", "show", "99").exit()).isEqualTo(1);
        assertThat(sepServer.runCommand("alice", "show", "many").exit()).isEqualTo(2);
        assertThat(sepServer.runCommand("alice", "list", "--state", "nowhere").exit())
                .isEqualTo(2);
        assertThat(sepServer.runCommand("alice", "vote", "1", "maybe").exit()).isEqualTo(2);
        assertThat(sepServer.runCommand("alice", "vote", "1", "concern").err()).contains("--reason");
        assertThat(sepServer.runCommand("alice", "submit", "missing.md").exit()).isEqualTo(2);
        assertThat(sepServer
                        .runCommand("alice", "move", "1", "draft", "--evidence", "minutes")
                        .exit())
                .isEqualTo(2);
    }

    @Test
    void aLinkOutOfTheDirectoryIsNotImported() throws Exception {
        Path in = Files.createDirectory(directory.resolve("in"));
        Path secret = Files.writeString(directory.resolve("secret.txt"), "# SEP-43: swordfish\n");
        Files.createSymbolicLink(in.resolve("0043-link.md"), secret);

        CommandOutput imported = sepServer.runCommand("dave", "import", "in");

        assertThat(imported.exit()).isEqualTo(1);
        assertThat(imported.out()).contains("0043-link.md: refused: the link leads out of the directory");
        assertThat(sepServer.runCommand("dave", "list").out()).doesNotContain("swordfish");
    }

    @Test
    void documentsGoInAndComeOutAgainAndAFileThatDiffersIsLeftAlone() throws Exception {
        Path in = Files.createDirectory(directory.resolve("in"));
        String text = "# SEP-41: Sessions\n\n- **Status**: Draft\n- **Author**: Zoë (@zoe)\n\n## Abstract\n\nÜber.\n";
        Files.writeString(in.resolve("0041-sessions.md"), text);
        Files.writeString(in.resolve("0042-paging.md"), SepTestServer.DOCUMENT.replace("# ", "# SEP-42: "));

        CommandOutput imported = sepServer.runCommand("dave", "import", "in");
        assertThat(imported.out()).contains("2 documents: 2 imported");
        assertThat(imported.exit()).isZero();
        assertThat(sepServer
                        .runCommand("dave", "import", "in", "--json")
                        .json()
                        .at("counts")
                        .at("unchanged")
                        .asLong(0))
                .isEqualTo(2);
        assertThat(sepServer.runCommand("alice", "import", "in").exit()).isEqualTo(1);

        assertThat(sepServer.runCommand("alice", "export", "41").out()).contains("# SEP-41: Sessions", "Über");
        assertThat(sepServer.runCommand("alice", "export", "--dir", "out").out())
                .contains("2 written");
        assertThat(sepServer.runCommand("alice", "export", "--dir", "out").out())
                .contains("2 unchanged");
        Path written;
        try (var files = Files.list(directory.resolve("out"))) {
            written = files.sorted().findFirst().orElseThrow();
        }
        Files.writeString(written, "mine");
        CommandOutput storedOutput = sepServer.runCommand("alice", "export", "--dir", "out");
        assertThat(storedOutput.exit()).isEqualTo(1);
        assertThat(Files.readString(written)).isEqualTo("mine");
        assertThat(sepServer
                        .runCommand("alice", "export", "--dir", "out", "--force")
                        .exit())
                .isZero();
        assertThat(Files.readString(written)).isNotEqualTo("mine");

        Path victim = Files.writeString(directory.resolve("victim.txt"), "mine");
        for (Path target : List.of(victim, directory.resolve("new.txt"))) {
            Files.delete(written);
            Files.createSymbolicLink(written, target);
            for (String[] arguments : List.of(
                    new String[] {"export", "--dir", "out"}, new String[] {"export", "--dir", "out", "--force"})) {
                CommandOutput refused = sepServer.runCommand("alice", arguments);
                assertThat(refused.exit()).isEqualTo(1);
                assertThat(refused.out()).contains(written.getFileName() + ": is a symbolic link");
            }
        }
        assertThat(Files.readString(victim)).isEqualTo("mine");
        assertThat(directory.resolve("new.txt")).doesNotExist();
    }

    @Test
    void anImportedDocumentComesOutUnderItsPathAndNotThroughALink() throws Exception {
        Path in = Files.createDirectories(directory.resolve("in/deep/er"));
        String text = "# SEP-41: Sessions\n\n## Abstract\n\nWords.\n";
        Files.writeString(in.resolve("Old Name.md"), text);
        sepServer.runCommand("dave", "import", "in");

        assertThat(sepServer.runCommand("alice", "export", "--dir", "out").exit())
                .isZero();
        Path written = directory.resolve("out/deep/er/Old Name.md");
        assertThat(Files.readString(written)).isEqualTo(text);

        Files.delete(written);
        Files.delete(written.getParent());
        Path outside = Files.createDirectory(directory.resolve("outside"));
        Files.createSymbolicLink(written.getParent(), outside);
        CommandOutput refused = sepServer.runCommand("alice", "export", "--dir", "out", "--force");
        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.out()).contains("deep/er/Old Name.md: is a symbolic link");
        assertThat(outside).isEmptyDirectory();
    }

    @Test
    void numbersAreAssignedInTheOrderOfThePathsAndATakenOneIsReported() throws Exception {
        Path in = Files.createDirectory(directory.resolve("in"));
        Files.writeString(in.resolve("a.md"), "# Anchors\n\n## Abstract\n\nA.\n");
        Files.writeString(in.resolve("b.md"), "# SEP-3: Buoys\n\n## Abstract\n\nB.\n");
        Files.writeString(in.resolve("c.md"), "# SEP-3: Crews\n\n## Abstract\n\nC.\n");
        Files.writeString(in.resolve("z.md"), "# Zephyrs\n\n## Abstract\n\nZ.\n");

        CommandOutput imported = sepServer.runCommand("dave", "import", "in/z.md", "in/c.md", "in/b.md", "in/a.md");
        assertThat(imported.exit()).isEqualTo(1);
        assertThat(imported.out())
                .contains("c.md: refused: SEP 3 already exists with the title 'Buoys'")
                .contains("4 documents: 3 imported, 1 refused");
        assertThat(sepServer.runCommand("alice", "show", "3").out()).contains("Buoys");
        assertThat(sepServer.runCommand("alice", "show", "4").out()).contains("Anchors");
        assertThat(sepServer.runCommand("alice", "show", "5").out()).contains("Zephyrs");
    }

    @Test
    void datesComeFromGitIfItIsAskedFor() throws Exception {
        Path in = Files.createDirectory(directory.resolve("in"));
        Path file = Files.writeString(in.resolve("sails.md"), "# SEP-7: Sails\n\n## Abstract\n\nS.\n");
        assertThat(sepServer.runCommand("dave", "import", "--git-dates", "in").err())
                .contains("--git-dates needs a git checkout with commits");
        git(in, "2024-02-03T04:05:06Z", "init", "-q");
        git(in, "2024-02-03T04:05:06Z", "add", ".");
        git(in, "2024-02-03T04:05:06Z", "commit", "-qm", "one");
        Files.writeString(file, "More.\n", StandardOpenOption.APPEND);
        git(in, "2025-06-07T08:09:10Z", "commit", "-qam", "two");

        assertThat(sepServer.runCommand("dave", "import", "--git-dates", "in").exit())
                .isZero();
        Json shown = sepServer.runCommand("alice", "show", "7", "--json").json();
        assertThat(shown.at("submitted").text()).startsWith("2024-02-03T04:05:06");
        assertThat(shown.at("next").at("since").text()).startsWith("2025-06-07T08:09:10");
    }

    private static void git(Path checkout, String date, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "git", "-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "commit.gpgsign=false"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(checkout.toFile());
        builder.environment().putAll(Map.of("GIT_AUTHOR_DATE", date, "GIT_COMMITTER_DATE", date));
        assertThat(builder.start().waitFor()).isZero();
    }

    @Test
    void lintSaysWhereADocumentAndTheLedgerDiffer() throws Exception {
        Files.writeString(directory.resolve("paging.md"), SepTestServer.DOCUMENT.replaceFirst("# ", "# SEP-1: "));
        assertThat(sepServer.runCommand("alice", "submit", "paging.md").exit()).isZero();
        assertThat(sepServer.runCommand("alice", "lint", "paging.md").out()).doesNotContain("status-differs");
        sepServer.runCommand("carol", "attach", "1", "decision=rejected: it is there already");
        sepServer.runCommand("dave", "confirm", "1", "decision");
        sepServer.runCommand("carol", "move", "1", "rejected", "--reason", "it is there already");
        assertThat(sepServer.runCommand("alice", "lint", "paging.md").out())
                .contains("paging.md:3:", "status-differs", "rejected");
    }

    @Test
    void aMoveIsRefusedIfTheDocumentIsNoLongerTheOneThatWasRead() throws Exception {
        Files.writeString(directory.resolve("paging.md"), SepTestServer.DOCUMENT);
        sepServer.runCommand("alice", "submit", "paging.md");
        String read = sepServer
                .runCommand("alice", "show", "1", "--json")
                .json()
                .at("hash")
                .text();
        assertThat(sepServer.runCommand("alice", "next", "1").out()).contains("document:     " + read.substring(0, 12));
        Files.writeString(directory.resolve("paging.md"), SepTestServer.DOCUMENT + "\nMore.\n");
        sepServer.runCommand("alice", "edit", "1", "paging.md");
        CommandOutput refused = sepServer.runCommand(
                "alice", "move", "1", "withdrawn", "--reason", "Not needed.", "--document", read.substring(0, 12));
        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.err()).contains("alice has changed the document in the meantime.", "(changed_since)");
        assertThat(sepServer.runCommand("alice", "diff", "1").out()).contains("  + More.");
    }
}
