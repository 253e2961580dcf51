package dev.gavel.app;

import dev.gavel.app.command.GavelCommands;
import dev.gavel.cli.VersionProvider;

/**
 * Starts the program: prints the version if only that is asked for, otherwise runs the given command, and exits with
 * the exit code.
 */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        System.exit(VersionProvider.isOnlyVersion(arguments) ? VersionProvider.print() : GavelCommands.run(arguments));
    }
}
