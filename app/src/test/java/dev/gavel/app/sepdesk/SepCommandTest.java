package dev.gavel.app.sepdesk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.sepdesk.DeskServer.Typed;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code gavel sep} beside a running server. */
class SepCommandTest {
    @TempDir
    private Path directory;

    private DeskServer desk;

    @BeforeEach
    void open() throws Exception {
        desk = new DeskServer(directory);
        Files.writeString(directory.resolve("paging.md"), DeskServer.DOCUMENT);
    }

    @AfterEach
    void close() {
        desk.close();
    }

    @Test
    void whatScriptsRelyOnIsThere() {
        assertThat(desk.typed("alice", "submit", "paging.md", "--json")
                        .json()
                        .at("number")
                        .number(0))
                .isEqualTo(1);
        assertThat(desk.typed("alice", "show", "1", "--json").json().members())
                .containsKeys("number", "title", "status", "type", "authors", "sponsor");
        assertThat(desk.typed("alice", "next", "SEP-1", "--json").json().members())
                .containsKeys("status", "since", "mustAct", "waitingOn", "nextStep", "toAdvance", "expectedBy");
    }

    @Test
    void eachIsToldWhatHappenedAndWhatToDoNext() {
        assertThat(desk.typed("alice", "submit", "paging.md").out()).contains("submitted as SEP-1", "next step:");
        assertThat(desk.typed("bob", "triage").out()).contains("Paging for every list");
        assertThat(desk.typed("bob", "sponsor", "1").out()).contains("bob is sponsor now", "next step:");
        assertThat(desk.typed("alice", "ask", "1", "bob", "Is it clear?").exit())
                .isZero();
        assertThat(desk.typed("alice", "attach", "1", "discussion=https://example.org/1")
                        .exit())
                .isZero();
        assertThat(desk.typed("bob", "move", "1", "provisional", "--evidence", "minutes=agreed")
                        .out())
                .contains("bob moved it from draft to provisional");
        assertThat(desk.typed("alice", "next", "1").out()).contains("must act:", "[ ] ", "expected by:");
        assertThat(desk.typed("alice", "list", "--open").out()).contains("provisional");
        assertThat(desk.typed("alice", "list", "--finished").out()).contains("no such SEP");
        assertThat(desk.typed("alice", "history", "1").out()).contains("alice submitted it");
        assertThat(desk.typed("alice", "maintainers").out()).contains("carol", "1/5");
        assertThat(desk.typed("alice", "similar", "--text", "paging.md").out()).contains("Paging");
        assertThat(desk.typed("alice", "explain", "1", "in-review").out()).contains("only the sponsor");
        assertThat(desk.typed("alice", "inbox").out()).contains("Paging");
        assertThat(desk.typed("dave", "sweep", "--dry-run", "--as-of", "2099-01-31")
                        .exit())
                .isZero();
        assertThat(desk.typed("alice", "stats", "--svg", "days.svg").out()).contains("1 SEPs, 1 of them open");
        assertThat(directory.resolve("days.svg")).content().contains("<svg", "Days in each state");
        assertThat(desk.typed("alice", "withdraw", "1", "--reason", "solved elsewhere")
                        .exit())
                .isZero();
    }

    @Test
    void aRefusalEndsWithOneAndSaysWhyAndWhatIsTypedWrongWithTwo() {
        desk.typed("alice", "submit", "paging.md");

        Typed refused = desk.typed("alice", "sponsor", "1");
        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.err()).contains("maintainer", "not_allowed");
        Typed told = desk.typed("alice", "sponsor", "1", "--json");
        assertThat(told.json().at("code").text()).isEqualTo("not_allowed");
        assertThat(told.json().at("whoMay").texts()).isNotEmpty();
        assertThat(desk.typed("alice", "show", "99").exit()).isEqualTo(1);
        assertThat(desk.typed("alice", "show", "many").exit()).isEqualTo(2);
        assertThat(desk.typed("alice", "list", "--state", "nowhere").exit()).isEqualTo(2);
        assertThat(desk.typed("alice", "vote", "1", "maybe").exit()).isEqualTo(2);
        assertThat(desk.typed("alice", "vote", "1", "concern").err()).contains("--reason");
        assertThat(desk.typed("alice", "submit", "missing.md").exit()).isEqualTo(2);
        assertThat(desk.typed("alice", "move", "1", "draft", "--evidence", "minutes")
                        .exit())
                .isEqualTo(2);
    }

    @Test
    void documentsGoInAndComeOutAgainAndAFileThatDiffersIsLeftAlone() throws Exception {
        Path in = Files.createDirectory(directory.resolve("in"));
        String text = "# SEP-41: Sessions\n\n- **Status**: Draft\n- **Author**: Zoë (@zoe)\n\n## Abstract\n\nÜber.\n";
        Files.writeString(in.resolve("0041-sessions.md"), text);
        Files.writeString(in.resolve("0042-paging.md"), DeskServer.DOCUMENT.replace("# ", "# SEP-42: "));

        Typed imported = desk.typed("dave", "import", "in");
        assertThat(imported.out()).contains("2 documents: 2 imported");
        assertThat(imported.exit()).isZero();
        assertThat(desk.typed("dave", "import", "in", "--json")
                        .json()
                        .at("counts")
                        .at("unchanged")
                        .number(0))
                .isEqualTo(2);
        assertThat(desk.typed("alice", "import", "in").exit()).isEqualTo(1);

        assertThat(desk.typed("alice", "export", "41").out()).contains("# SEP-41: Sessions", "Über");
        assertThat(desk.typed("alice", "export", "--dir", "out").out()).contains("2 written");
        assertThat(desk.typed("alice", "export", "--dir", "out").out()).contains("2 unchanged");
        Path written;
        try (var files = Files.list(directory.resolve("out"))) {
            written = files.sorted().findFirst().orElseThrow();
        }
        Files.writeString(written, "mine");
        Typed kept = desk.typed("alice", "export", "--dir", "out");
        assertThat(kept.exit()).isEqualTo(1);
        assertThat(Files.readString(written)).isEqualTo("mine");
        assertThat(desk.typed("alice", "export", "--dir", "out", "--force").exit())
                .isZero();
        assertThat(Files.readString(written)).isNotEqualTo("mine");
    }

    @Test
    void lintSaysWhereADocumentAndTheLedgerDiffer() throws Exception {
        Files.writeString(directory.resolve("paging.md"), DeskServer.DOCUMENT.replaceFirst("# ", "# SEP-1: "));
        assertThat(desk.typed("alice", "submit", "paging.md").exit()).isZero();
        assertThat(desk.typed("alice", "lint", "paging.md").out()).doesNotContain("status-differs");
        desk.typed("carol", "move", "1", "rejected", "--reason", "it is there already");
        assertThat(desk.typed("alice", "lint", "paging.md").out())
                .contains("paging.md:3:", "status-differs", "rejected");
    }
}
