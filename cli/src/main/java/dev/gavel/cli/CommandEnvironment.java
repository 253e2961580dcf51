package dev.gavel.cli;

import dev.gavel.cli.terminal.TerminalProbe;
import dev.gavel.cli.terminal.TerminalSize;
import java.io.Console;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The environment in which a command runs: environment variables, working directory, terminal and time zone.
 *
 * @param variables looks up an environment variable; returns null if it is not set
 * @param directory the working directory
 * @param terminal whether a person reads the output as it is printed
 * @param zoneSupplier returns the person's time zone; a supplier, because loading the time zones is a good part of a
 *     command's time and few commands print a time
 * @param prompt shows a question on the terminal and returns the line that the person types; null at the end of input
 * @param ownsProcess whether the process runs this command alone, so that the command may end the process
 */
public record CommandEnvironment(
        Function<String, @Nullable String> variables,
        Path directory,
        boolean terminal,
        Supplier<ZoneId> zoneSupplier,
        Function<String, @Nullable String> prompt,
        boolean ownsProcess) {
    /** The environment of a command inside a process that does other work too. */
    public CommandEnvironment(
            Function<String, @Nullable String> environment, Path directory, boolean terminal, ZoneId zone) {
        this(environment, directory, terminal, () -> zone, question -> null, false);
    }

    /** The environment of this process. */
    @SuppressWarnings("SystemConsoleNull") // since JDK 25 it is null again if there is no terminal
    public static CommandEnvironment ofProcess() {
        Console console = System.console();
        return new CommandEnvironment(
                System::getenv,
                Path.of(""),
                console != null && console.isTerminal(),
                ZoneId::systemDefault,
                question -> console == null ? null : console.readLine("%s", question),
                true);
    }

    /** The time zone in which the command prints times. */
    public ZoneId zone() {
        return zoneSupplier.get();
    }

    /** Returns an environment variable; a blank variable counts as not set. */
    public Optional<String> variable(String name) {
        return Optional.ofNullable(variables.apply(name)).filter(value -> !value.isBlank());
    }

    /** How many characters fit into a line: the variable {@code COLUMNS} if set, otherwise the terminal's width. */
    int width() {
        return variable("COLUMNS")
                .filter(columns -> columns.matches("\\d{2,4}"))
                .map(Integer::parseInt)
                .orElseGet(() -> (terminal ? TerminalProbe.size() : Optional.<TerminalSize>empty())
                        .orElse(TerminalSize.DEFAULT)
                        .width());
    }

    /** The environment of the command line that this command belongs to. */
    public static CommandEnvironment of(CommandSpec spec) {
        return ((GavelRootCommand) spec.root().userObject()).environment();
    }
}
