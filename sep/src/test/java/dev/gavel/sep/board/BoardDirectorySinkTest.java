package dev.gavel.sep.board;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BoardDirectorySinkTest {
    @TempDir
    Path parent;

    private Path site;

    @BeforeEach
    void place() {
        site = parent.resolve("site");
    }

    private void publish(String... paths) throws IOException {
        try (BoardDirectorySink sink = BoardDirectorySink.open(site)) {
            for (String path : paths) {
                sink.write(path, path + " of " + paths.length);
            }
            sink.complete();
        }
    }

    private Stream<String> beside() throws IOException {
        try (Stream<Path> files = Files.list(parent)) {
            return files.map(file -> String.valueOf(file.getFileName())).toList().stream();
        }
    }

    @Test
    void aSiteAppearsWhenItIsCompleteAndNothingIsLeftBesideIt() throws IOException {
        try (BoardDirectorySink sink = BoardDirectorySink.open(site)) {
            sink.write("seps/1.html", "one");
            sink.write("index.html", "all");
            assertThat(site).doesNotExist();
            sink.complete();
        }
        assertThat(site.resolve("seps/1.html")).hasContent("one");
        assertThat(site.resolve("index.html")).hasContent("all");
        assertThat(beside()).containsExactly("site");
    }

    @Test
    void aRunThatIsNotCompletedChangesNothing() throws IOException {
        publish("index.html");
        try (BoardDirectorySink sink = BoardDirectorySink.open(site)) {
            sink.write("index.html", "half");
        }
        assertThat(site.resolve("index.html")).hasContent("index.html of 1");
        assertThat(beside()).containsExactly("site");
    }

    @Test
    void theNextSiteTakesThePlaceOfTheOneBeforeAndLeavesWhatOthersPutThere() throws IOException {
        publish("seps/1.html", "old/2.html", "index.html");
        Files.writeString(site.resolve("CNAME"), "seps.example");
        Files.writeString(site.resolve("seps/notes.txt"), "mine");
        publish("seps/3.html", "index.html");
        assertThat(site.resolve("index.html")).hasContent("index.html of 2");
        assertThat(site.resolve("seps/1.html")).doesNotExist();
        assertThat(site.resolve("old")).doesNotExist();
        assertThat(site.resolve("seps/3.html")).exists();
        assertThat(site.resolve("CNAME")).hasContent("seps.example");
        assertThat(site.resolve("seps/notes.txt")).hasContent("mine");
    }

    @Test
    void aDirectoryWithFilesOfOthersIsRefused() throws IOException {
        Files.createDirectories(site);
        Files.writeString(site.resolve("thesis.txt"), "years of work");
        assertThatThrownBy(() -> BoardDirectorySink.open(site))
                .isInstanceOf(BoardOutputDirectoryException.class)
                .hasMessage(site + " contains files that do not belong to a board. Choose an empty or new directory");
        assertThat(beside()).containsExactly("site");
        assertThatThrownBy(() -> BoardDirectorySink.open(site.resolve("thesis.txt")))
                .hasMessageContaining("is a file. Choose a directory");
    }

    @Test
    void hiddenFilesOfACheckoutDoNoHarm() throws IOException {
        Files.createDirectories(site.resolve(".git"));
        publish("index.html");
        assertThat(site.resolve(".git")).isDirectory();
        assertThat(site.resolve("index.html")).exists();
    }

    @Test
    void aFileOfSomebodyElsesIsNotReplaced() throws IOException {
        publish("index.html");
        Files.writeString(site.resolve("stats.html"), "mine");
        assertThatThrownBy(() -> publish("stats.html", "index.html"))
                .isInstanceOf(BoardOutputDirectoryException.class)
                .hasMessageContaining("stats.html is in the way");
        assertThat(site.resolve("stats.html")).hasContent("mine");
        assertThat(site.resolve("index.html")).hasContent("index.html of 1");
    }

    @Test
    void noLinkLeadsTheBoardElsewhere() throws IOException {
        Path elsewhere = Files.createDirectories(parent.resolve("elsewhere"));
        Files.writeString(elsewhere.resolve("1.html"), "mine");
        publish("index.html");
        Files.createSymbolicLink(site.resolve("seps"), elsewhere);
        assertThatThrownBy(() -> publish("seps/1.html", "index.html")).hasMessageContaining("is in the way");
        assertThat(elsewhere.resolve("1.html")).hasContent("mine");
    }

    @Test
    void aManifestThatNamesOtherFilesIsNotFollowed() throws IOException {
        publish("index.html");
        Path secret = Files.writeString(parent.resolve("secret.txt"), "mine");
        Files.writeString(site.resolve("CNAME"), "mine");
        Files.writeString(
                site.resolve(BoardManifest.FILE),
                "gavel board 1\nindex.html\n../secret.txt\n" + secret + "\n.git/config\n");
        publish("index.html");
        assertThat(secret).hasContent("mine");
        assertThat(site.resolve("CNAME")).exists();
    }

    @Test
    void noFileIsWrittenOutsideOrTwice() throws IOException {
        try (BoardDirectorySink sink = BoardDirectorySink.open(site)) {
            sink.write("a.html", "");
            for (String path : new String[] {"../b.html", "/b.html", "a.html", "", ".git/config", "a/../../b"}) {
                assertThatThrownBy(() -> sink.write(path, "")).isInstanceOf(IllegalArgumentException.class);
            }
        }
    }
}
