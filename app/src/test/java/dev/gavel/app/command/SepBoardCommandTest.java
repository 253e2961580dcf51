package dev.gavel.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.cli.CommandEnvironment;
import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SepBoardCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path directory;

    private Path documents;
    private Path site;

    @BeforeEach
    void setUp() throws IOException {
        documents = Files.createDirectories(directory.resolve("documents"));
        site = directory.resolve("site");
        Files.writeString(
                documents.resolve("0007-a.md"),
                "# A\n\n- **Status**: Draft\n- **Created**: 2026-01-01\n- **Author(s)**: @ann\n");
    }

    private int board(String... arguments) {
        List<String> all = new ArrayList<>(List.of("sep", "board", "--html", site.toString()));
        all.addAll(List.of(arguments));
        return GavelCommands.run(
                CommandEnvironment.ofProcess(), new PrintWriter(out), new PrintWriter(err), all.toArray(String[]::new));
    }

    @Test
    void aBoardOfDocumentsIsWrittenAndWrittenAgain() throws IOException {
        assertThat(board(documents.toString())).isZero();
        assertThat(out.toString().strip()).isEqualTo("wrote a board of 1 SEP to " + site.resolve("index.html"));
        assertThat(err.toString()).isEmpty();
        assertThat(site.resolve("seps/7.html")).content().contains("proposal since 2026-01-01");
        Files.move(documents.resolve("0007-a.md"), documents.resolve("8-a.md"));
        assertThat(board("--title", "Ours", documents.resolve("8-a.md").toString()))
                .isZero();
        assertThat(site.resolve("seps/7.html")).doesNotExist();
        assertThat(site.resolve("seps/8.html")).content().contains("<title>SEP-8: A – Ours</title>");
    }

    @Test
    void aLinkOutOfTheDirectoryIsNotPublished() throws IOException {
        Path secret = Files.writeString(directory.resolve("secret.txt"), "# SEP-9: swordfish\n");
        Files.createSymbolicLink(documents.resolve("9-link.md"), secret);

        assertThat(board(documents.toString())).isZero();

        assertThat(err.toString()).contains("9-link.md: skipped: the link leads out of the directory");
        assertThat(site.resolve("seps/9.html")).doesNotExist();
        assertThat(site.resolve("index.html")).content().doesNotContain("swordfish");
    }

    @Test
    void whatCouldNotBeReadIsSaidAndTheRestIsShown() throws IOException {
        Files.writeString(documents.resolve("XXXX-b.md"), "# SEP-XXXX: B\n");
        Files.write(documents.resolve("9-c.md"), new byte[] {'#', ' ', (byte) 0xFF});
        assertThat(board(documents.toString())).isZero();
        assertThat(err.toString())
                .contains("XXXX-b.md: skipped: it has no number")
                .contains("9-c.md: skipped: the byte 0xFF is not valid UTF-8");
        assertThat(site.resolve("seps/7.html")).exists();
    }

    @Test
    void programsAreToldInJson() throws IOException {
        Files.writeString(documents.resolve("XXXX-b.md"), "# SEP-XXXX: B\n");
        assertThat(board("--json", documents.toString())).isZero();
        Json summary = Json.parse(out.toString().strip()).orElseThrow();
        assertThat(summary.at("seps").raw()).isEqualTo("1");
        assertThat(summary.at("complaints").elements()).hasSize(1);
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void aDirectoryWithOtherFilesIsLeftAlone() throws IOException {
        Files.createDirectories(site);
        Files.writeString(site.resolve("thesis.txt"), "years of work");
        assertThat(board(documents.toString())).isEqualTo(2);
        assertThat(err.toString())
                .contains("contains files that do not belong to a board. Choose an empty or new directory.");
        try (Stream<Path> files = Files.list(site)) {
            assertThat(files).hasSize(1);
        }
    }

    @Test
    void whatIsNotThereIsSaid() {
        assertThat(board(directory.resolve("nowhere").toString())).isEqualTo(2);
        assertThat(board("--process", "nope", documents.toString())).isEqualTo(2);
        assertThat(board("--data", directory.resolve("nodata").toString())).isEqualTo(2);
        assertThat(err.toString())
                .contains("there is no file or directory")
                .contains("unknown process or file 'nope'")
                .contains(" does not exist. Set its data directory with --data.");
        assertThat(site).doesNotExist();
    }
}
