package dev.gavel.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code gavel completion} command: prints a shell completion script. */
@Command(
        name = "completion",
        description = "Print a shell completion script.",
        footer = {
            "  source <(gavel completion bash)        enable it in this bash session",
            "  source <(gavel completion zsh)         enable it in this zsh session",
            "  gavel completion fish | source         enable it in this fish session",
            "",
            "To enable it in every session of bash or zsh, add the line for your shell to",
            "~/.bashrc or ~/.zshrc. For fish, run:",
            "  gavel completion fish > ~/.config/fish/completions/gavel.fish",
        })
public final class CompletionCommand implements Callable<Integer> {
    private static final List<String> SHELLS = List.of("bash", "zsh", "fish");

    @Parameters(
            index = "0",
            paramLabel = "SHELL",
            completionCandidates = Shells.class,
            description = "The shell: bash, zsh or fish.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String shell;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    /** The completion candidates for the parameter {@code SHELL}. */
    static final class Shells implements Iterable<String> {
        @Override
        public java.util.Iterator<String> iterator() {
            return SHELLS.iterator();
        }
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        GavelRootCommand root = (GavelRootCommand) spec.root().userObject();
        CommandLine gavel = GavelRootCommand.commandLine(
                root.commands(), root.environment(), out, spec.commandLine().getErr());
        out.print(
                switch (ClientCommand.requireOneOf(SHELLS, shell, "shell")) {
                    case "fish" -> new FishCompletionScript(gavel).generate();
                    // One script serves bash and zsh: in zsh it turns on bash compatibility for completion.
                    default -> AutoComplete.bash(gavel.getCommandName(), gavel);
                });
        out.flush();
        return ExitCode.SUCCESS;
    }
}
