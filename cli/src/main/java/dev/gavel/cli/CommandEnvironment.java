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
 * Where a command runs: environment variables, working directory, terminal and time zone.
 *
 * @param variables looks a variable up
 * @param directory the working directory
 * @param terminal whether a person reads what is printed, as it is printed
 * @param zoneSupplier finds out where that person's clock is: reading the time zones there are is a good part of a command's
 *     time, and few commands print a time
 * @param ownsProcess whether the process is there for this command alone, which may then say how it ends
 */
public record CommandEnvironment(
        Function<String, @Nullable String> variables,
        Path directory,
        boolean terminal,
        Supplier<ZoneId> zoneSupplier,
        boolean ownsProcess) {
    /** Within a process that does other things too. */
    public CommandEnvironment(
            Function<String, @Nullable String> environment, Path directory, boolean terminal, ZoneId zone) {
        this(environment, directory, terminal, () -> zone, false);
    }

    /** This process's. */
    @SuppressWarnings("SystemConsoleNull") // since JDK 25 it is null again where there is no terminal
    public static CommandEnvironment ofProcess() {
        Console console = System.console();
        return new CommandEnvironment(
                System::getenv, Path.of(""), console != null && console.isTerminal(), ZoneId::systemDefault, true);
    }

    /** Whose clock the person looks at. */
    public ZoneId zone() {
        return zoneSupplier.get();
    }

    /** A variable; an empty one is as good as none. */
    public Optional<String> variable(String name) {
        return Optional.ofNullable(variables.apply(name)).filter(value -> !value.isBlank());
    }

    /** How many characters fit into a line: what was said, or else what the terminal says. */
    int width() {
        return variable("COLUMNS")
                .filter(columns -> columns.matches("\\d{2,4}"))
                .map(Integer::parseInt)
                .orElseGet(() -> (terminal ? TerminalProbe.size() : Optional.<TerminalSize>empty())
                        .orElse(TerminalSize.DEFAULT)
                        .width());
    }

    /** What surrounds a command. */
    public static CommandEnvironment of(CommandSpec spec) {
        return ((GavelRootCommand) spec.root().userObject()).environment();
    }
}
