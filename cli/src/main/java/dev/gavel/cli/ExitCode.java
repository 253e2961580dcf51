package dev.gavel.cli;

/** The exit codes of the program. */
public final class ExitCode {
    public static final int SUCCESS = 0;

    /** The server refused, or the command found a problem. */
    public static final int FAILURE = 1;

    /** Wrong usage or configuration. */
    public static final int USAGE = 2;

    /** The server cannot be reached or is not available now; a later attempt may succeed. */
    public static final int UNREACHABLE = 3;

    private ExitCode() {}
}
