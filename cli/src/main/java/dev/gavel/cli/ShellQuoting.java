package dev.gavel.cli;

import dev.gavel.mcpx.text.SafeText;
import java.util.regex.Pattern;

/**
 * Quotes words so that a printed command can be pasted into a shell: bash, zsh, fish or another POSIX shell. The words
 * are untrusted: another participant may have chosen them. Stateless.
 */
public final class ShellQuoting {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._:/+-][A-Za-z0-9._@:/+-]*");

    private ShellQuoting() {}

    /** Quotes the word unless it is safe in a shell. */
    public static String quote(String word) {
        return PLAIN.matcher(word).matches()
                ? word
                // Within single quotes, fish treats a backslash as an escape, and other shells do not.
                : "'" + SafeText.line(word).replaceAll("[\\\\']", "'\\\\$0'") + "'";
    }

    /** Quotes the last argument of a command, so that neither the shell nor the command takes it for an option. */
    public static String quoteOperand(String word) {
        return (word.startsWith("-") ? "-- " : "") + quote(word);
    }
}
