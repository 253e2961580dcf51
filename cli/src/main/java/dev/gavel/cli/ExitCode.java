package dev.gavel.cli;

/** The exit codes of the program. */
public final class ExitCode {
    public static final int SUCCESS = 0;

    /** The answer is no: refused, or something was found wrong. */
    public static final int FAILURE = 1;

    /** Wrong usage or configuration. */
    public static final int USAGE = 2;

    /** The server cannot be reached, or cannot do anything now: the same may go well later. */
    public static final int UNREACHABLE = 3;

    private ExitCode() {}
}
