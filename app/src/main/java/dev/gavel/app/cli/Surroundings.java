package dev.gavel.app.cli;

import dev.gavel.app.terminal.Size;
import dev.gavel.app.terminal.Terminal;
import java.io.Console;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Where the program was started.
 *
 * @param environment looks a variable up
 * @param directory the working directory
 * @param terminal whether a person reads what is printed, as it is printed
 * @param local finds out where that person's clock is: reading the time zones there are is a good part of a command's
 *     time, and few commands print a time
 * @param alone whether the process is there for this command alone, which may then say how it ends
 */
public record Surroundings(
        Function<String, @Nullable String> environment,
        Path directory,
        boolean terminal,
        Supplier<ZoneId> local,
        boolean alone) {
    /** Within a process that does other things too. */
    public Surroundings(Function<String, @Nullable String> environment, Path directory, boolean terminal, ZoneId zone) {
        this(environment, directory, terminal, () -> zone, false);
    }

    /** This process's. */
    @SuppressWarnings("SystemConsoleNull") // since JDK 25 it is null again where there is no terminal
    public static Surroundings real() {
        Console console = System.console();
        return new Surroundings(
                System::getenv, Path.of(""), console != null && console.isTerminal(), ZoneId::systemDefault, true);
    }

    /** Whose clock the person looks at. */
    ZoneId zone() {
        return local.get();
    }

    /** A variable; an empty one is as good as none. */
    Optional<String> variable(String name) {
        return Optional.ofNullable(environment.apply(name)).filter(value -> !value.isBlank());
    }

    /** How many characters fit into a line: what was said, or else what the terminal says. */
    int width() {
        return variable("COLUMNS")
                .filter(columns -> columns.matches("\\d{2,4}"))
                .map(Integer::parseInt)
                .orElseGet(() -> (terminal ? Terminal.size() : Optional.<Size>empty())
                        .orElse(Size.USUAL)
                        .width());
    }

    /** What surrounds a command. */
    public static Surroundings of(CommandSpec spec) {
        return ((GavelCommand) spec.root().userObject()).surroundings();
    }
}
