package dev.gavel.cli;

import java.util.List;
import java.util.ListResourceBundle;
import java.util.stream.IntStream;
import picocli.CommandLine;

/** Describes the option {@code --token} in the help of each command as the command uses it. Stateless. */
public final class TokenOptionHelp {
    static final String TOKEN = "Your token, as env:NAME or file:PATH (or GAVEL_TOKEN).";

    private TokenOptionHelp() {}

    /** A command that describes its option {@code --token}. */
    public interface Describer {
        /** The lines of the description. */
        List<String> tokenDescription();
    }

    /** Sets the description in a command and its subcommands. */
    static void apply(CommandLine line) {
        if (line.getCommandSpec().userObject() instanceof Describer command) {
            line.getCommandSpec().resourceBundle(bundle(command.tokenDescription()));
        }
        line.getSubcommands().values().forEach(TokenOptionHelp::apply);
    }

    /** Returns a bundle in which picocli finds the lines of the option's description by their numbers. */
    private static ListResourceBundle bundle(List<String> lines) {
        return new ListResourceBundle() {
            @Override
            protected Object[][] getContents() {
                return IntStream.range(0, lines.size())
                        .mapToObj(i -> new Object[] {"token." + i, lines.get(i)})
                        .toArray(Object[][]::new);
            }
        };
    }
}
