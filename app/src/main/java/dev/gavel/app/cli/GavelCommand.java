package dev.gavel.app.cli;

import dev.gavel.yaml.Nearest;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The {@code gavel} command: the others hang below it. */
@Command(
        name = "gavel",
        description = "Proposals with a lifecycle, for agents and for specifications.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        scope = CommandLine.ScopeType.INHERIT,
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  gavel demo                    see an agent ask, and decide: nothing to set up",
            "  gavel serve                   run the gateway with everything embedded",
            "  gavel propose main --tool write_file --arg path=/tmp/x --wait",
            "  gavel review main             decide what is open, one by one",
            "  gavel approve --help          what a command takes, with examples",
            "",
            "'source <(gavel completion bash)' completes commands with the Tab key.",
        })
public final class GavelCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private ClientOptions options = new ClientOptions();

    private final Commands commands;
    private final Surroundings surroundings;

    private GavelCommand(Commands commands, Surroundings surroundings) {
        this.commands = commands;
        this.surroundings = surroundings;
    }

    /** Runs a command line in an environment and returns its exit code. */
    public static int run(Commands commands, Surroundings here, PrintWriter out, PrintWriter err, String... arguments) {
        CommandLine line = line(commands, here, out, err, arguments);
        if (here.variable("NO_COLOR").isPresent() || List.of(arguments).contains("--no-color")) {
            line.setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF));
        }
        return line.execute(arguments);
    }

    /** What understands these words: with all commands there are, unless the words begin with the name of one. */
    public static CommandLine line(
            Commands commands, Surroundings here, PrintWriter out, PrintWriter err, String... words) {
        CommandLine line = new CommandLine(new GavelCommand(commands, here));
        // Before anything is set: that goes to those which are there by then, and to no others.
        commands.hang(line, List.of(words));
        line.setOut(out)
                .setErr(err)
                .setParameterExceptionHandler((exception, typed) -> misused(exception))
                .setExecutionExceptionHandler((exception, command, parsed) -> failed(exception, command));
        List<String> sections = new ArrayList<>(line.getHelpSectionKeys());
        // What there is to do comes before how it can be varied.
        sections.removeAll(CommandsByPurpose.SECTIONS);
        sections.addAll(
                sections.indexOf(CommandLine.Model.UsageMessageSpec.SECTION_KEY_OPTION_LIST_HEADING),
                CommandsByPurpose.SECTIONS);
        line.setHelpSectionKeys(sections);
        line.getHelpSectionMap()
                .put(CommandLine.Model.UsageMessageSpec.SECTION_KEY_COMMAND_LIST, CommandsByPurpose::list);
        return line;
    }

    /** Who types nothing more wants to know what there is; a script that does is wrong all the same. */
    @Override
    public Integer call() {
        PrintWriter err = spec.commandLine().getErr();
        spec.commandLine().usage(err);
        err.flush();
        return ExitCode.USAGE;
    }

    Surroundings surroundings() {
        return surroundings;
    }

    Commands commands() {
        return commands;
    }

    /** The options that stood before the command's name. */
    ClientOptions options() {
        return options;
    }

    private static int misused(ParameterException exception) {
        CommandLine command = exception.getCommandLine();
        String message = exception.getMessage();
        if (exception instanceof UnmatchedArgumentException unmatched) {
            String word = unmatched.getUnmatched().getFirst();
            boolean option = word.startsWith("-");
            Set<String> known = option
                    ? command.getCommandSpec().optionsMap().keySet()
                    : command.getSubcommands().keySet();
            message = (option ? "unknown option '" : "unknown command or argument '")
                    + word
                    + Nearest.to(word, known)
                            .map(near -> "'; did you mean '" + near + "'?")
                            .orElse("'.");
        }
        String name = command.getCommandSpec().qualifiedName();
        complain(command.getErr(), message + " See '" + name + " --help'.");
        return ExitCode.USAGE;
    }

    private static int failed(Exception exception, CommandLine command) {
        if (exception instanceof Complaint complaint) {
            complain(command.getErr(), complaint.getMessage());
            return complaint.exitCode();
        }
        complain(command.getErr(), "internal error: " + exception);
        return ExitCode.NO;
    }

    private static void complain(PrintWriter err, @Nullable String message) {
        err.println("gavel: " + message);
        err.flush();
    }
}
