package dev.gavel.cli;

import dev.gavel.cli.build.BuildInfo;
import picocli.CommandLine.IVersionProvider;

/** Provides the version line that {@code gavel --version} prints. */
public final class VersionProvider implements IVersionProvider {
    /**
     * Whether the arguments request only the version: then the command line, the slowest part of a start, is not built.
     */
    public static boolean isOnlyVersion(String... arguments) {
        return arguments.length == 1 && arguments[0].equals("--version");
    }

    /** Prints the version and returns the exit code. */
    @SuppressWarnings("SystemOut")
    public static int print() {
        System.out.println(version());
        return ExitCode.SUCCESS;
    }

    @Override
    public String[] getVersion() {
        return new String[] {version()};
    }

    private static String version() {
        return "gavel " + BuildInfo.version();
    }
}
