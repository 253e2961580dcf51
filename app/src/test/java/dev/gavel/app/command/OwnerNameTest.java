package dev.gavel.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.TestServer;
import dev.gavel.app.config.DefaultServerConfig;
import dev.gavel.client.http.ListenAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that commands of a new installation call its admin, whose id is {@code you}, by the name Owner. */
class OwnerNameTest {
    @TempDir
    Path directory;

    private TestServer server;

    @BeforeEach
    void serve() throws IOException {
        server = new TestServer(
                DefaultServerConfig.config(directory.resolve(".gavel")).withListen(new ListenAddress("127.0.0.1", 0)),
                1);
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private String gavel(String... words) throws Exception {
        RunningCommand.Result result = run(words);
        assertThat(result.exit()).as(result.err()).isZero();
        return result.out();
    }

    private RunningCommand.Result run(String... words) throws Exception {
        return runAs("you", words);
    }

    private RunningCommand.Result runAs(String identity, String... words) throws Exception {
        return RunningCommand.start(
                        directory,
                        Map.of(
                                "GAVEL_URL",
                                "http://" + server.listen(),
                                "GAVEL_TOKEN",
                                Files.readString(directory.resolve(".gavel/tokens/" + identity))
                                        .strip(),
                                "HOME",
                                directory.toString()),
                        words)
                .awaitEnd();
    }

    @Test
    void listsNameTheOwnerAndTheId() throws Exception {
        gavel("propose", "main", "--tool", "write_file");
        gavel("token", "create", "files", "--topic", "main", "--capability", "mcp.response.*");
        assertThat(gavel("proposals", "main")).contains(" Owner (you) ");
        assertThat(gavel("topic", "list")).contains("YOUR NAME").contains(" Owner (you) ");
        assertThat(gavel("member", "list", "main")).contains("Owner (you) ");
        assertThat(gavel("token", "list")).contains("Owner (you) ", " by Owner (you)");
        assertThat(gavel("proposals", "main", "--json")).contains("\"from\":\"you\"");
    }

    @Test
    void anUnknownRoleIsNamed() throws Exception {
        assertThat(run("token", "roles", "agent", "--role", "maintaner").err())
                .contains("unknown role 'maintaner'. Did you mean 'maintainer'?");
    }

    @Test
    void documentsAndTheBoardNameTheOwner() throws Exception {
        gavel("sep", "new", "Paging");
        Path document = directory.resolve("0000-paging.md");
        String text = Files.readString(document);
        assertThat(text).contains("- **Author(s)**: Owner (@you)\n", "- **Sponsor**: None (seeking sponsor)\n");
        String written = text.replaceAll("(## (?:Abstract|Motivation))\n\n.*", "$1\n\nEvery list has pages.");
        Files.writeString(document, written.replace("Owner (@you)", "@agent"));
        assertThat(runAs("agent", "sep", "submit", "0000-paging.md").exit()).isZero();
        gavel("sep", "sponsor", "1");
        Files.writeString(document, written);
        gavel("sep", "submit", "0000-paging.md");
        assertThat(gavel("sep", "export", "1")).contains("- **Sponsor**: Owner (@you)\n");
        gavel(
                "sep",
                "board",
                "--html",
                directory.resolve("site").toString(),
                "--data",
                directory.resolve(".gavel").toString());
        assertThat(boardPage("2")).contains("Author Owner");
        assertThat(boardPage("1"))
                .contains("Sponsor Owner", "Owner became the sponsor", "Sponsor : Owner (&#64;you)")
                .doesNotContainPattern("\\byou (?:became|submitted|will be|needs)\\b");
        assertThat(Files.readString(directory.resolve("site/index.html"))).contains("Owner");
    }

    private String boardPage(String number) throws IOException {
        return Files.readString(directory.resolve("site/seps/" + number + ".html"))
                .replaceAll("<[^>]*>", " ")
                .replaceAll("\\s+", " ");
    }
}
