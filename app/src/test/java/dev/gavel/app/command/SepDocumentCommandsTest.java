package dev.gavel.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.cli.CommandEnvironment;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests the {@code gavel sep} commands that work on documents without a server. */
class SepDocumentCommandsTest {
    private static final String GOOD = """
            # SEP-42: Paging for every list

            - **Status**: Draft
            - **Type**: Standards Track
            - **Created**: 2026-03-01
            - **Author(s)**: Alice Archer (@alice)
            - **Sponsor**: Carol Cook (@carol)
            - **Discussion**: https://example.org/discussions/7

            ## Abstract

            Lists can be read page by page.

            ## Motivation

            Long lists do not fit into one answer.

            ## Specification

            A list takes a cursor.

            ## Rationale

            Offsets move.

            ## Backward Compatibility

            Nothing breaks.

            ## Security Implications

            None.

            ## Reference Implementation

            https://example.org/paging
            """;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path directory;

    private int run(String... arguments) {
        return run(false, arguments);
    }

    private int run(boolean terminal, String... arguments) {
        CommandEnvironment here = new CommandEnvironment(name -> null, directory, terminal, ZoneOffset.UTC);
        return GavelCommands.run(here, new PrintWriter(out), new PrintWriter(err), arguments);
    }

    private String write(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text).toString();
    }

    @Test
    void aGoodDocumentHasNothingWrong() throws IOException {
        assertThat(run("sep", "lint", write("42-paging.md", GOOD))).isZero();
        assertThat(out.toString()).isEqualTo("1 document: 0 errors, 0 warnings, 0 notes\n");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void aMistakeIsALineWithItsPlaceAndALineWithHelp() throws IOException {
        String file = write("42-paging.md", GOOD.replace("Draft", "Darft"));
        assertThat(run("sep", "lint", file)).isEqualTo(1);
        assertThat(out.toString())
                .isEqualTo(file + ":3:15: error[status-unknown]: 'Darft' is not a state of the process sep-1286\n"
                        + "  help: did you mean 'draft'?\n"
                        + "1 document: 1 error, 0 warnings, 0 notes\n");
    }

    @Test
    void programsGetJson() throws IOException {
        String file = write("42-paging.md", GOOD.replace("Draft", "Darft"));
        assertThat(run("sep", "lint", "--json", file)).isEqualTo(1);
        JsonNode json = JsonMapper.shared().readTree(out.toString());
        assertThat(json.get("files").asInt()).isEqualTo(1);
        assertThat(json.get("errors").asInt()).isEqualTo(1);
        assertThat(json.get("warnings").asInt()).isZero();
        JsonNode finding = json.get("findings").get(0);
        assertThat(finding.get("file").asString()).isEqualTo(file);
        assertThat(finding.get("line").asInt()).isEqualTo(3);
        assertThat(finding.get("column").asInt()).isEqualTo(15);
        assertThat(finding.get("severity").asString()).isEqualTo("error");
        assertThat(finding.get("code").asString()).isEqualTo("status-unknown");
        assertThat(finding.get("help").asString()).isEqualTo("did you mean 'draft'?");
    }

    @Test
    void aLinkOutOfTheDirectoryIsReportedAndNotRead() throws IOException {
        Path secret = Path.of(write("secret.txt", "# SEP-43: the password is swordfish\n"));
        write("seps/42-paging.md", GOOD);
        Files.createSymbolicLink(directory.resolve("seps/43-link.md"), secret);
        Files.createSymbolicLink(directory.resolve("seps/44-inside.md"), Path.of("42-paging.md"));

        assertThat(run("sep", "lint", "seps")).isEqualTo(1);

        assertThat(out.toString())
                .contains("seps/43-link.md:1:1: error[file-outside]: the link leads out of the directory")
                .contains("seps/44-inside.md")
                .doesNotContain("swordfish");
    }

    @Test
    void aNamedLinkOutOfItsDirectoryIsReportedAndNotRead() throws IOException {
        Path secret = Path.of(write("outside/43-secret.md", "# SEP-43: the password is swordfish\n"));
        write("seps/42-paging.md", GOOD);
        Files.createSymbolicLink(directory.resolve("seps/43-link.md"), secret);
        Files.createSymbolicLink(directory.resolve("seps/44-directory.md"), secret.getParent());
        Files.createSymbolicLink(directory.resolve("seps/45-device.md"), Path.of("/dev/zero"));
        Files.createSymbolicLink(directory.resolve("seps/46-inside.md"), Path.of("42-paging.md"));

        assertThat(run(
                        "sep",
                        "lint",
                        "seps/43-link.md",
                        "seps/44-directory.md",
                        "seps/45-device.md",
                        "seps/46-inside.md"))
                .isEqualTo(1);

        assertThat(out.toString())
                .contains("seps/43-link.md:1:1: error[file-outside]: the link leads out of the directory")
                .contains("seps/44-directory.md:1:1: error[file-outside]")
                .contains("seps/45-device.md:1:1: error[file-outside]")
                .contains("name the target of the link")
                .contains("seps/46-inside.md")
                .doesNotContain("seps/46-inside.md:1:1: error[file-outside]", "swordfish");
        assertThat(run("sep", "lint", secret.toString()))
                .as("the target itself")
                .isEqualTo(1);
        assertThat(out.toString()).contains("warning[author-missing]");
    }

    @Test
    void aLinkedDirectoryInANamedPathIsReportedAndNotRead() throws IOException {
        Path secret = Path.of(write("outside/43-secret.md", "# SEP-43: the password is swordfish\n"));
        write("seps/a/42-paging.md", GOOD);
        Files.createSymbolicLink(directory.resolve("seps/b"), secret.getParent());
        Files.createSymbolicLink(directory.resolve("seps/c"), Path.of("a"));

        assertThat(run("sep", "lint", "seps/b/43-secret.md")).isEqualTo(1);
        assertThat(run("sep", "lint", directory.resolve("seps/b/43-secret.md").toString()))
                .isEqualTo(1);
        assertThat(out.toString())
                .contains("seps/b/43-secret.md:1:1: error[file-outside]: the link leads out of the directory")
                .doesNotContain("swordfish", "title-missing", "author-missing");
        assertThat(run("sep", "lint", "seps/c/42-paging.md"))
                .as("a link to another directory in the same directory")
                .isZero();
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void aNamedPipeOrDeviceIsRefused() throws Exception {
        Path pipe = directory.resolve("42-pipe.md");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        for (String file : List.of(pipe.toString(), "/dev/zero")) {
            assertThat(run("sep", "lint", file)).isEqualTo(2);
            assertThat(err.toString()).contains(file + " is not a regular file or a directory");
        }
    }

    @Test
    void inADirectoryEveryDocumentIsReadAndLinksAreFollowed() throws IOException {
        write("seps/42-paging.md", GOOD.replace("- **Type", "- **Requires**: SEP-43, SEP-44\n- **Type"));
        write("seps/deeper/43-other.md", GOOD.replace("SEP-42", "SEP-43"));
        write("seps/README.md", "Nothing of ours.");
        write("seps/notes.txt", "Nor this.");
        assertThat(run("sep", "lint", directory.resolve("seps").toString())).isEqualTo(1);
        assertThat(out.toString())
                .contains("42-paging.md:4:17: error[link-unknown]: there is no SEP-44")
                .endsWith("2 documents: 1 error, 0 warnings, 0 notes\n");
    }

    @Test
    void aSingleFilesLinksLeadElsewhere() throws IOException {
        assertThat(run("sep", "lint", write("42-x.md", GOOD.replace("- **Type", "- **Requires**: SEP-43\n- **Type"))))
                .isZero();
    }

    @Test
    void whatIsNotUtf8IsNamedWithItsPlace() throws IOException {
        Path file = directory.resolve("42-paging.md");
        Files.write(file, GOOD.replace("Lists can", "Lísts can").getBytes(StandardCharsets.ISO_8859_1));
        assertThat(run("sep", "lint", file.toString())).isEqualTo(1);
        assertThat(out.toString()).contains(file + ":12:2: error[not-utf-8]: the byte 0xED is not valid UTF-8");
    }

    @Test
    void whatIsNotThereIsWrongUsage() {
        assertThat(run("sep", "lint", "/not/there.md")).isEqualTo(2);
        assertThat(err.toString()).isEqualTo("gavel: there is no file or directory /not/there.md\n");
        assertThat(run("sep", "lint", directory.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("no document was found (*.md)");
        assertThat(run("sep", "lint")).isEqualTo(2);
    }

    @Test
    void aProcessIsOneThatComesAlongOrAFile() throws IOException {
        String file = write("42-paging.md", GOOD);
        assertThat(run("sep", "lint", file, "--process", "sep-1268")).isEqualTo(2);
        assertThat(err.toString()).isEqualTo("gavel: unknown process or file 'sep-1268'. Did you mean 'sep-1286'?\n");
        String own = write(
                "own.yaml",
                Files.readString(Path.of("../processes/sep-1286.yaml")).replace("process: sep-1286", "process: own"));
        String wrong = write("wrong.md", GOOD.replace("Draft", "Darft"));
        assertThat(run("sep", "lint", wrong, "--process", own)).isEqualTo(1);
        assertThat(out.toString()).contains("is not a state of the process own");
        assertThat(run("sep", "lint", file, "--process", write("bad.yaml", "process: x\n")))
                .isEqualTo(2);
        assertThat(err.toString()).contains("the process file has errors:");
    }

    @Test
    void terminalsGetColoursUnlessTheyAreNotWanted() throws IOException {
        String file = write("42-paging.md", GOOD.replace("Draft", "Darft"));
        run(true, "sep", "lint", file);
        assertThat(out.toString()).contains("\u001b[31merror[status-unknown]:\u001b[0m");
        out.getBuffer().setLength(0);
        run(true, "--no-color", "sep", "lint", file);
        assertThat(out.toString()).doesNotContain("\u001b");
    }

    @Test
    void whatADocumentSaysCannotSteerTheTerminal() throws IOException {
        run("sep", "lint", write("42-x.md", GOOD.replace("Draft", "\u001b[2JDraft")));
        assertThat(out.toString()).contains("error[status-unknown]").doesNotContain("\u001b");
    }

    @Test
    void aNewDocumentSaysWhatToDoFirstAndIsNotCompleteYet() {
        assertThat(run(
                        "sep",
                        "new",
                        "Paging for every list",
                        "--author",
                        "Alice (@alice)",
                        "--dir",
                        directory.toString()))
                .isZero();
        Path file = directory.resolve("0000-paging-for-every-list.md");
        assertThat(out.toString())
                .startsWith("Wrote " + file + ".\n  1. Discuss the idea with the project")
                .contains("gavel sep lint " + file, "gavel sep submit " + file);
        out.getBuffer().setLength(0);
        assertThat(run("sep", "lint", file.toString())).isEqualTo(1);
        assertThat(out.toString())
                .contains("number-placeholder", "discussion-missing", "pr-placeholder")
                .contains("error[section-empty]: the section Abstract", "error[section-empty]: the section Motivation")
                .endsWith("1 document: 2 errors, 4 warnings, 3 notes\n");
    }

    @Test
    void aDocumentIsNeverWrittenOver() throws IOException {
        String file = write("0000-paging.md", "mine");
        assertThat(run("sep", "new", "Paging", "--dir", directory.toString())).isEqualTo(1);
        assertThat(err.toString())
                .isEqualTo("gavel: " + file + " already exists; choose another title, or edit this file\n");
        assertThat(Files.readString(Path.of(file))).isEqualTo("mine");
    }

    @Test
    void aNewDocumentsTypeAndPlaceMustBeThere() throws IOException {
        assertThat(run("sep", "new", "Paging", "--type", "process", "--json", "--dir", directory.toString()))
                .isZero();
        assertThat(Files.readString(Path.of(
                        JsonMapper.shared().readTree(out.toString()).get("file").asString())))
                .contains("- **Type**: Process\n");
        assertThat(run("sep", "new", "Other", "--type", "Poem", "--dir", directory.toString()))
                .isEqualTo(2);
        assertThat(err.toString()).contains("unknown type 'Poem'. Use one of: Standards Track, ");
        assertThat(run("sep", "new", "Other", "--dir", "/not/there")).isEqualTo(2);
        assertThat(err.toString()).contains("there is no directory /not/there");
        assertThat(run("sep", "new", " ")).isEqualTo(2);
    }

    @Test
    void theCommandsAreShownWithTheOthers() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).contains(" Manage specification proposals\n   sep ");
        assertThat(run("sep")).isEqualTo(2);
        assertThat(err.toString()).contains("missing command. Use one of: new, lint");
    }
}
