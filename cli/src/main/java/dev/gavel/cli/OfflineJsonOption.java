package dev.gavel.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The option of those commands that talk to no server to answer in JSON; it may stand before the command's name too. */
public final class OfflineJsonOption {
    @Option(names = "--json", description = "Print JSON for programs, and nothing else.")
    private boolean given;

    /** Whether it was given. */
    public boolean isGiven(CommandSpec spec) {
        return given || ((GavelRootCommand) spec.root().userObject()).options().json();
    }
}
