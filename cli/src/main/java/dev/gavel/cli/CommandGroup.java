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

    /** The subcommands. They are not listed in the annotation, because picocli would build them all at every start. */
    protected abstract List<Class<?>> commands();

    @Override
    public final void run() {
        throw new ParameterException(
                spec.commandLine(),
                "missing command. Use one of: "
                        + String.join(", ", spec.subcommands().keySet()) + ".");
    }
}
