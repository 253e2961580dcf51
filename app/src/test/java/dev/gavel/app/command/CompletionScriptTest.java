package dev.gavel.app.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gavel.cli.CommandEnvironment;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the completion scripts in real shells. */
class CompletionScriptTest {
    @TempDir
    Path directory;

    private Path script(String shell) throws IOException {
        StringWriter out = new StringWriter();
        assertThat(GavelCommands.run(
                        CommandEnvironment.ofProcess(),
                        new PrintWriter(out),
                        new PrintWriter(out),
                        "completion",
                        shell))
                .isZero();
        return Files.writeString(directory.resolve("gavel." + shell), out.toString());
    }

    private String run(String... command) throws Exception {
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor()).as(() -> read(output)).isZero();
        return read(output);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, UTF_8);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** What bash offers after these words; the last word is incomplete. */
    private List<String> inBash(String... words) throws Exception {
        Path script = script("bash");
        String array = String.join("' '", words);
        return run(
                        "bash",
                        "--norc",
                        "-c",
                        "compopt() { :; }; source " + script + "; COMP_WORDS=('" + array + "'); COMP_CWORD="
                                + (words.length - 1)
                                + "; COMP_LINE=\"${COMP_WORDS[*]}\"; COMP_POINT=${#COMP_LINE}; _complete_gavel;"
                                + " printf '%s\\n' \"${COMPREPLY[@]}\"")
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
    }

    private static void assumeInstalled(String shell) {
        assumeTrue(
                Stream.of("/bin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/")
                        .anyMatch(place -> Files.isExecutable(Path.of(place + shell))),
                shell + " is not installed here, so its completion was not tried");
    }

    @Test
    void bashCompletesCommandsAndOptions() throws Exception {
        assertThat(inBash("gavel", "re")).containsExactly("review", "reject");
        assertThat(inBash("gavel", "token", "re")).containsExactly("revoke");
        assertThat(inBash("gavel", "propose", "main", "--w")).containsExactly("--wait");
        assertThat(inBash("gavel", "completion", "f")).containsExactly("fish");
    }

    @Test
    void zshTakesTheScript() throws Exception {
        assumeInstalled("zsh");
        Path script = script("zsh");
        assertThat(run(
                        "zsh",
                        "-f",
                        "-c",
                        "autoload -U compinit && compinit -u -d " + directory + "/dump; source " + script
                                + "; print -r -- ${_comps[gavel]}"))
                .contains("gavel");
    }

    @Test
    void fishCompletesCommandsAndOptions() throws Exception {
        assumeInstalled("fish");
        Path script = script("fish");
        assertThat(fish(script, "gavel re"))
                .extracting(line -> line.replaceFirst("\t.*", ""))
                .containsExactly("reject", "review");
        assertThat(fish(script, "gavel token re"))
                .singleElement()
                .asString()
                .startsWith("revoke\tRevoke one or all tokens");
        assertThat(fish(script, "gavel propose main --w"))
                .singleElement()
                .asString()
                .startsWith("--wait\t");
        assertThat(fish(script, "gavel completion f")).containsExactly("fish");
        assertThat(fish(script, "gavel propose main --tool x re")).isEmpty();
        assertThat(fish(script, "gavel --url http://localhost:1 token re"))
                .singleElement()
                .asString()
                .startsWith("revoke\t");
        assertThat(fish(script, "gavel token --url http://localhost:1 re"))
                .singleElement()
                .asString()
                .startsWith("revoke\t");
        assertThat(fish(script, "gavel --url http://localhost:1 propose main --tool x --w"))
                .singleElement()
                .asString()
                .startsWith("--wait\t");
    }

    private List<String> fish(Path script, String line) throws Exception {
        return run("fish", "--no-config", "-c", "source " + script + "; complete -C '" + line + "'")
                .lines()
                .toList();
    }

    @Test
    void aShellThatIsNotKnownIsNamed() {
        StringWriter err = new StringWriter();
        assertThat(GavelCommands.run(
                        CommandEnvironment.ofProcess(),
                        new PrintWriter(err),
                        new PrintWriter(err),
                        "completion",
                        "tcsh"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("'tcsh' is not a valid shell");
    }
}
