package dev.gavel.app.cli;

import dev.gavel.mcpx.text.SafeText;
import java.util.regex.Pattern;

/** Words as a shell takes them, so that a command we print can be typed as it stands. Stateless. */
final class ShellWord {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._@:/+-]+");

    private ShellWord() {}

    /** The word, quoted where a shell would read something else. Others chose it, so this is not left to chance. */
    static String of(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + SafeText.line(word).replace("'", "'\\''") + "'";
    }
}
