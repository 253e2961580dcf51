package dev.gavel.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which directories and files a sandbox shows. */
@EnabledOnOs(OS.LINUX)
class SandboxMountsTest {
    @TempDir
    private Path temporary;

    private Path directory;

    @BeforeEach
    void create() throws IOException {
        directory = temporary.toRealPath();
        Files.createDirectories(directory.resolve("notes"));
        Files.writeString(directory.resolve("gavel.yaml"), "");
    }

    private String options(List<Path> readable, List<Path> writable, Path... hidden) throws IOException {
        return String.join(" ", SandboxMounts.options(directory, readable, writable, List.of(hidden)));
    }

    @Test
    void aDirectoryWithoutHiddenFilesIsMounted() throws IOException {
        assertThat(options(List.of(), List.of(), Path.of("/somewhere/else")))
                .contains("--ro-bind " + directory + " " + directory)
                .doesNotContain("--tmpfs " + directory);
    }

    @Test
    void aDirectoryWithAHiddenFileIsNotMountedItself() throws IOException {
        assertThat(options(List.of(), List.of(), directory.resolve("gavel.yaml")))
                .contains("--tmpfs " + directory + " --ro-bind-try " + directory.resolve("notes") + " "
                        + directory.resolve("notes") + " --remount-ro " + directory)
                .doesNotContain("gavel.yaml")
                .doesNotContain("--ro-bind " + directory + " ");
    }

    @Test
    void aHiddenDirectoryThatDoesNotExistYetIsNeverShown() throws IOException {
        assertThat(options(List.of(), List.of(), directory.resolve("home/.config/gavel")))
                .contains("--tmpfs " + directory + " ")
                .doesNotContain("--ro-bind " + directory + " ");
        Files.createDirectories(directory.resolve("home/.config/other"));
        assertThat(options(List.of(), List.of(), directory.resolve("home/.config/gavel")))
                .contains("--dir " + directory.resolve("home") + " --dir " + directory.resolve("home/.config"))
                .contains("--ro-bind-try " + directory.resolve("home/.config/other"))
                .doesNotContain("gavel/");
    }

    /** Kubernetes updates the files of a secret by replacing a link. */
    @Test
    void aHiddenLinkIsHiddenWithItsTarget() throws IOException {
        Path version = Files.createDirectories(directory.resolve("secrets/..2026"));
        Files.writeString(version.resolve("carol"), "");
        Files.createSymbolicLink(directory.resolve("secrets/..data"), Path.of("..2026"));
        Files.createSymbolicLink(directory.resolve("secrets/carol"), Path.of("..data/carol"));
        assertThat(options(List.of(), List.of(), directory.resolve("secrets/carol")))
                .contains("--symlink ..2026 " + directory.resolve("secrets/..data"))
                .contains("--dir " + version)
                .doesNotContain("carol");
    }

    @Test
    void aWritableDirectoryContainsNothingHidden() throws IOException {
        assertThat(options(List.of(), List.of(directory.resolve("notes")), directory.resolve("gavel.yaml")))
                .contains("--bind " + directory.resolve("notes") + " " + directory.resolve("notes"));
        assertThatThrownBy(() -> options(List.of(), List.of(directory), directory.resolve("gavel.yaml")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("because it contains " + directory.resolve("gavel.yaml"));
    }

    @Test
    void aPathInAWritableDirectoryIsNotShownBecauseTheServerCouldReplaceIt() throws IOException {
        Path notes = directory.resolve("notes");
        List<Path> writable = List.of(directory);
        assertThat(SandboxMounts.replacementProblem(notes, writable))
                .hasValueSatisfying(problem -> assertThat(problem).contains("in the writable path " + directory));
        Path outside = Files.createSymbolicLink(directory.resolveSibling(directory.getFileName() + "-link"), notes);
        try {
            assertThat(SandboxMounts.replacementProblem(outside, writable)).isPresent();
        } finally {
            Files.delete(outside);
        }
        // The server has replaced the directory already.
        Files.delete(notes);
        Files.createSymbolicLink(notes, Path.of("/usr"));
        assertThat(SandboxMounts.replacementProblem(notes, writable)).isPresent();
        assertThat(SandboxMounts.replacementProblem(directory, writable)).isEmpty();
        assertThat(SandboxMounts.replacementProblem(directory, List.of(notes))).isEmpty();
    }

    @Test
    void aHiddenPathIsNotShown() {
        assertThatThrownBy(() -> options(List.of(), List.of(), directory.resolve("..")))
                .hasMessageContaining("cannot show the working directory " + directory);
        assertThatThrownBy(() ->
                        options(List.of(directory.resolve("gavel.yaml")), List.of(), directory.resolve("gavel.yaml")))
                .hasMessageContaining("cannot show the readable path " + directory.resolve("gavel.yaml"));
    }

    @Test
    void aDirectoryWithVeryManyEntriesIsRefused() throws IOException {
        for (int i = 0; i < 1000; i++) {
            Files.writeString(directory.resolve("file" + i), "");
        }
        assertThatThrownBy(() -> options(List.of(), List.of(), directory.resolve("gavel.yaml")))
                .hasMessageContaining("more than 1000 entries");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/proc", "/proc/self", "/dev", "/dev/shm", "/tmp", "/usr/..", "/home-of"})
    void aSandboxDoesNotShowTheWholeSystemOrItsOwnDirectories(String path) throws IOException {
        Path home = Files.createDirectories(directory.resolve("home-of/me"));
        Path tested = path.equals("/home-of") ? directory.resolve("home-of") : Path.of(path);
        assumeTrue(Files.exists(tested));
        assertThat(SandboxMounts.problem(tested, List.of(home))).isPresent();
        assertThat(SandboxMounts.problem(home, List.of(home))).isEmpty();
        assertThat(SandboxMounts.problem(directory.resolve("notes"), List.of(home)))
                .isEmpty();
    }
}
