package dev.gavel.cli;

import dev.gavel.mcpx.text.SafeText;
import dev.gavel.yaml.WordSuggester;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

/** The root command {@code gavel}: parses a command line, runs the command that it names, and prints errors. */
@Command(
        name = "gavel",
        description = "Review what AI agents propose, and manage specification proposals.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        scope = CommandLine.ScopeType.INHERIT,
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  gavel demo                    try it with a sample agent, without any setup",
            "  gavel serve                   run the server with an embedded ledger",
            "  gavel propose main --tool write_file --arg path=/tmp/x --wait",
            "  gavel review main             review open proposals one by one",
            "  gavel approve --help          show a command's options and examples",
            "",
            "To enable Tab completion in bash: source <(gavel completion bash)",
        })
public final class GavelRootCommand implements Callable<Integer> {
    /** Commands of the same meaning, for names that users know from other programs. */
    private static final Map<String, List<String>> SYNONYMS = Map.of(
            "add", List.of("set", "create", "new"),
            "delete", List.of("remove", "revoke"),
            "rm", List.of("remove", "revoke"),
            "ls", List.of("list"));

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private ClientOptions options = new ClientOptions();

    private final CommandTreeBuilder commandTreeBuilder;
    private final CommandEnvironment environment;

    private GavelRootCommand(CommandTreeBuilder commandTreeBuilder, CommandEnvironment commandEnvironment) {
        this.commandTreeBuilder = commandTreeBuilder;
        this.environment = commandEnvironment;
    }

    /** Runs a command line in an environment and returns its exit code. */
    public static int run(
            CommandTreeBuilder commandTreeBuilder,
            CommandEnvironment environment,
            PrintWriter out,
            PrintWriter err,
            String... arguments) {
        CommandLine line = commandLine(commandTreeBuilder, environment, out, err, arguments);
        if (environment.variable("NO_COLOR").isPresent() || List.of(arguments).contains("--no-color")) {
            line.setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF));
        }
        return line.execute(arguments);
    }

    /** Builds the command line for these words: with all commands, unless the first word names one. */
    public static CommandLine commandLine(
            CommandTreeBuilder commandTreeBuilder,
            CommandEnvironment environment,
            PrintWriter out,
            PrintWriter err,
            String... words) {
        CommandLine line = new CommandLine(new GavelRootCommand(commandTreeBuilder, environment));
        // Add the commands first: picocli passes a setting only to the commands that exist when it is set.
        commandTreeBuilder.addCommands(line, List.of(words));
        TokenOptionHelp.apply(line);
        line.setOut(out)
                .setErr(err)
                // Another participant may have chosen a word, such as a proposal's id: it must not name a file with
                // words.
                .setExpandAtFiles(false)
                .setParameterExceptionHandler((exception, typed) -> onParameterException(exception))
                .setExecutionExceptionHandler((exception, command, parsed) -> onExecutionException(exception, command));
        List<String> sections = new ArrayList<>(line.getHelpSectionKeys());
        // Help lists commands before options.
        sections.removeAll(CommandListRenderer.SECTIONS);
        sections.addAll(
                sections.indexOf(CommandLine.Model.UsageMessageSpec.SECTION_KEY_OPTION_LIST_HEADING),
                CommandListRenderer.SECTIONS);
        line.setHelpSectionKeys(sections);
        line.getHelpSectionMap()
                .put(CommandLine.Model.UsageMessageSpec.SECTION_KEY_COMMAND_LIST, CommandListRenderer::render);
        return line;
    }

    /**
     * Without a command, prints the help. Returns the code for wrong usage, since a script that names no command is
     * wrong.
     */
    @Override
    public Integer call() {
        PrintWriter err = spec.commandLine().getErr();
        spec.commandLine().usage(err);
        err.flush();
        return ExitCode.USAGE;
    }

    public CommandEnvironment environment() {
        return environment;
    }

    CommandTreeBuilder commands() {
        return commandTreeBuilder;
    }

    /** The options given before the command's name. */
    public ClientOptions options() {
        return options;
    }

    private static int onParameterException(ParameterException exception) {
        CommandLine command = exception.getCommandLine();
        String message = withoutParserTerms(String.valueOf(exception.getMessage()));
        if (exception instanceof UnmatchedArgumentException unmatched) {
            String word = unmatched.getUnmatched().getFirst();
            boolean option = word.startsWith("-");
            Set<String> known = option
                    ? command.getCommandSpec().optionsMap().keySet()
                    : command.getSubcommands().keySet();
            message = (option ? "unknown option '" : "unknown command or argument '")
                    + word
                    + synonym(word, known)
                            .or(() -> WordSuggester.suggest(word, known))
                            .map(suggestion -> "'. Did you mean '" + suggestion + "'?")
                            .orElse("'.");
        }
        String name = command.getCommandSpec().qualifiedName();
        // The messages of picocli have no period.
        String end = message.endsWith(".") || message.endsWith("?") ? "" : ".";
        printError(command.getErr(), message + end + " See '" + name + " --help'.");
        return ExitCode.USAGE;
    }

    /** Returns the command that does what another program's command of this name does. */
    private static Optional<String> synonym(String word, Set<String> known) {
        return SYNONYMS.getOrDefault(word, List.of()).stream()
                .filter(known::contains)
                .findFirst();
    }

    /** Returns a message of the parser without its terms, and like all other errors without a capital letter. */
    private static String withoutParserTerms(String message) {
        String plain = message.replaceFirst("^Invalid value for positional parameter at index \\S+ \\([^)]*\\): ", "")
                .replaceFirst("is not an? (?:int|long)$", "is not a whole number");
        return plain.length() > 1 && Character.isLowerCase(plain.charAt(1))
                ? Character.toLowerCase(plain.charAt(0)) + plain.substring(1)
                : plain;
    }

    private static int onExecutionException(Exception exception, CommandLine command) {
        if (exception instanceof CommandException commandException) {
            printError(command.getErr(), commandException.getMessage());
            return commandException.exitCode();
        }
        printError(command.getErr(), "internal error: " + exception);
        return ExitCode.FAILURE;
    }

    private static void printError(PrintWriter err, @Nullable String message) {
        // A message can contain arguments and texts of other people.
        err.println("gavel: " + SafeText.lines(String.valueOf(message)));
        err.flush();
    }
}
