package dev.gavel.cli;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Base class of commands that only group subcommands, such as {@code gavel topic}. */
public abstract class CommandGroup implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    /** Those below it. They are not named in the annotation, since picocli would build them all at each start. */
    protected abstract List<Class<?>> commands();

    @Override
    public final void run() {
        throw new ParameterException(
                spec.commandLine(),
                "Name a command: " + String.join(", ", spec.subcommands().keySet()) + ".");
    }
}
