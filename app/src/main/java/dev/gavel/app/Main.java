package dev.gavel.app;

import dev.gavel.app.cli.GavelCommands;
import dev.gavel.app.cli.Version;

/** Where the program begins. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        System.exit(Version.asked(arguments) ? Version.print() : GavelCommands.run(arguments));
    }
}
