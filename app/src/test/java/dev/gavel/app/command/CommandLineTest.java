package dev.gavel.app.command;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.cli.CommandEnvironment;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Tests the command line: help, errors and exit codes. */
class CommandLineTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return GavelCommands.run(CommandEnvironment.ofProcess(), new PrintWriter(out), new PrintWriter(err), arguments);
    }

    @Test
    void theVersionIsSaid() {
        assertThat(run("--version")).isZero();
        assertThat(out.toString()).matches("gavel \\d+\\.\\d+\\.\\d+\\S*\\n");
    }

    @Test
    void helpListsTheCommandsWithExamples() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).contains("Usage: gavel", "Commands:", "serve", "Examples:");
    }

    @Test
    void aCommandsHelpListsItsOptions() {
        assertThat(run("serve", "--help")).isZero();
        assertThat(out.toString()).contains("--config=FILE", "--listen=HOST:PORT", "--data=DIR", "Examples:");
    }

    @Test
    void aMistypedCommandIsOneLineThatNamesTheRightOne() {
        assertThat(run("srve")).isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo("gavel: unknown command or argument 'srve'. Did you mean 'serve'? See 'gavel --help'.\n");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aMistypedOptionIsOneLineThatNamesTheRightOne() {
        assertThat(run("serve", "--lsten", "x")).isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo("gavel: unknown option '--lsten'. Did you mean '--listen'? See 'gavel serve --help'.\n");
    }

    @Test
    void noCommandAtAllIsWrongUsageAndShowsWhatThereIs() {
        assertThat(run()).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString())
                .contains("Usage: gavel", " Review proposals\n   review ", " Manage access\n   token ", "Examples:")
                .doesNotContain("@|");
    }

    @Test
    void aGroupOfCommandsNamesThem() {
        assertThat(run("token")).isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo(
                        "gavel: missing command. Use one of: create, list, roles, revoke. See 'gavel token --help'.\n");
    }

    @Test
    void everyCommandHasHelpWithExamplesThatFitsATerminal() {
        for (CommandLine command : all(line())) {
            String help = command.getUsageMessage(CommandLine.Help.Ansi.OFF);
            String name = command.getCommandSpec().qualifiedName();
            assertThat(help).as(name).contains("Usage: " + name, "Examples:\n  ");
            assertThat(help.lines()).as(name).allMatch(line -> line.length() <= 80);
            assertThat(help.lines().toList())
                    .as("no line of the examples of " + name + " is broken")
                    .containsSubsequence(command.getCommandSpec().usageMessage().footer());
            assertThat(command.getCommandSpec().usageMessage().description())
                    .as(name)
                    .isNotEmpty();
        }
    }

    @Test
    void everyCommandThatAnswersTakesJson() {
        for (CommandLine command : all(line())) {
            // Hidden commands are for programs that speak a protocol with them.
            boolean hidden = command.getCommandSpec().usageMessage().hidden();
            if (command.getSubcommands().isEmpty() && !command.getCommandName().equals("completion") && !hidden) {
                assertThat(command.getCommandSpec().optionsMap())
                        .as(command.getCommandSpec().qualifiedName())
                        .containsKey("--json");
            }
        }
    }

    @Test
    void aCommandThatIsBuiltAloneIsTheSameAsAmongAllOthers() {
        CommandLine everything = line();
        assertThat(everything.getSubcommands()).containsKeys("serve", "sep", "completion");
        for (CommandLine among : all(everything)) {
            String name = among.getCommandSpec().qualifiedName();
            String[] words = name.replaceFirst("^gavel ?", "").split(" ");
            CommandLine alone = line(words);
            for (String word : words) {
                if (!word.isEmpty()) {
                    assertThat(alone.getSubcommands()).as(name).containsOnlyKeys(word);
                    alone = requireNonNull(alone.getSubcommands().get(word));
                }
            }
            assertThat(alone.getUsageMessage()).as(name).isEqualTo(among.getUsageMessage());
            assertThat(alone.getCommandSpec().optionsMap().keySet())
                    .as(name)
                    .isEqualTo(among.getCommandSpec().optionsMap().keySet());
        }
    }

    @Test
    void whatStandsBeforeACommandsNameHidesNoOther() {
        assertThat(run("--no-color", "token", "lst")).isEqualTo(2);
        assertThat(err.toString()).contains("'lst'. Did you mean 'list'? See 'gavel token --help'.");
        assertThat(run("--help", "serve")).isZero();
        assertThat(out.toString()).contains("review", "sep", "token");
    }

    @Test
    void aMistypedCommandOfAGroupIsNamedToo() {
        assertThat(run("sep", "lnit")).isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo("gavel: unknown command or argument 'lnit'. Did you mean 'lint'? See 'gavel sep --help'.\n");
    }

    private CommandLine line(String... words) {
        return GavelCommands.commandLine(
                CommandEnvironment.ofProcess(), new PrintWriter(out), new PrintWriter(err), words);
    }

    private static List<CommandLine> all(CommandLine command) {
        List<CommandLine> all = new ArrayList<>(List.of(command));
        command.getSubcommands().values().forEach(sub -> all.addAll(all(sub)));
        return all;
    }

    @Test
    void aMissingConfigurationIsNamed() {
        assertThat(run("serve", "--config", "/not/there.yaml")).isEqualTo(2);
        assertThat(err.toString()).isEqualTo("gavel: the file /not/there.yaml does not exist\n");
    }

    @Test
    void everyMistakeInTheConfigurationIsNamed(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("gavel.yaml"), "lisetn: x\ntopics: []\n");
        assertThat(run("serve", "--config", file.toString())).isEqualTo(2);
        assertThat(err.toString().lines())
                .containsExactly(
                        "gavel: " + file + ":1: unknown key 'lisetn'. Did you mean 'listen'?",
                        "gavel: " + file + ":2: 'topics' must be a mapping (keys and values), not a list");
    }

    @Test
    void aBadAddressIsNamed(@TempDir Path directory) {
        assertThat(run("serve", "--data", directory.toString(), "--listen", "here"))
                .isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo("gavel: 'here' is not a valid address: use HOST:PORT, such as 127.0.0.1:4285\n");
    }

    @Test
    void anAddressInUseIsNamed(@TempDir Path directory) throws IOException {
        try (var occupiedPort = new java.net.ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + occupiedPort.getLocalPort();
            assertThat(run("serve", "--data", directory.toString(), "--listen", address))
                    .isEqualTo(2);
            assertThat(err.toString())
                    .startsWith("gavel: cannot listen on " + address)
                    .contains("--listen");
        }
    }
}
