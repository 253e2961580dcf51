package dev.gavel.cli;

import dev.gavel.mcpx.text.SafeText;
import java.util.regex.Pattern;

/** Words as a shell takes them, so that a command we print can be typed as it stands. Stateless. */
public final class ShellQuoting {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._@:/+-]+");

    private ShellQuoting() {}

    /** The word, quoted where a shell would read something else. Others chose it, so this is not left to chance. */
    public static String quote(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + SafeText.line(word).replace("'", "'\\''") + "'";
    }
}
