package dev.gavel.cli;

import dev.gavel.mcpx.text.SafeText;
import java.util.regex.Pattern;

/** Quotes words so that a printed command can be pasted into a shell. Stateless. */
public final class ShellQuoting {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._@:/+-]+");

    private ShellQuoting() {}

    /** Quotes the word unless it is safe in a shell. The word is untrusted: another participant may have chosen it. */
    public static String quote(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + SafeText.line(word).replace("'", "'\\''") + "'";
    }
}
