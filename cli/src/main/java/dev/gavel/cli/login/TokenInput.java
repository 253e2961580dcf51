package dev.gavel.cli.login;

import dev.gavel.cli.ClientOptions;
import dev.gavel.cli.CommandException;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.terminal.TermiosSettings;
import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * Reads a token from the person at the terminal, without showing it, or from the first line of standard input.
 * Stateless.
 */
final class TokenInput {
    private static final int MAX_LENGTH = 4096;

    private TokenInput() {}

    /** Returns the token. Throws {@link CommandException} if there is none. */
    @SuppressWarnings("SystemConsoleNull") // since JDK 25 it is null again if there is no terminal
    static String read(String url) {
        Console console = System.console();
        if (console != null && console.isTerminal()) {
            char[] typed = console.readPassword("Your token for %s (not shown): ", url);
            return requireToken(typed == null ? "" : new String(typed));
        }
        if (TermiosSettings.current().isPresent()) {
            throw new CommandException(
                    ExitCode.USAGE,
                    "cannot hide the token while you type it, because the output is redirected. Run the command"
                            + " without redirecting its output, or read the token from a file: gavel login < FILE");
        }
        try {
            return requireToken(readLine(System.in));
        } catch (IOException e) {
            throw new CommandException(
                    ExitCode.USAGE, "cannot read the token from standard input: " + CommandException.describe(e));
        }
    }

    private static String readLine(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            if (line.length() == MAX_LENGTH) {
                throw new IOException("the first line has more than " + MAX_LENGTH + " characters");
            }
            line.append((char) next);
        }
        return new String(line.toString().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    private static String requireToken(String text) {
        if (text.isBlank()) {
            throw new CommandException(
                    ExitCode.USAGE,
                    "there is no token. Type it when 'gavel login' asks for it, or redirect a file that contains it:"
                            + " gavel login < FILE");
        }
        return ClientOptions.requireTokenSyntax(text, "");
    }
}
