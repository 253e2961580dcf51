package dev.gavel.app.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What concerns whole topics hangs below this. */
@Command(
        name = "topic",
        description = "Look at a topic.",
        subcommands = WatchCommand.class,
        synopsisSubcommandLabel = "COMMAND",
        footer = "  gavel topic watch main")
final class TopicCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Name a command.");
    }
}
