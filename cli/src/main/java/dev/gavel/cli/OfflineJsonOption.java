package dev.gavel.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The option {@code --json} of commands that work without a server. */
public final class OfflineJsonOption {
    @Option(names = "--json", description = "Print JSON only.")
    private boolean given;

    /** Whether {@code --json} was given, before or after the command's name. */
    public boolean isGiven(CommandSpec spec) {
        return given || ((GavelRootCommand) spec.root().userObject()).options().json();
    }
}
