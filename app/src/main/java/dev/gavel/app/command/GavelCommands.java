package dev.gavel.app.command;

import dev.gavel.cli.CommandEnvironment;
import dev.gavel.cli.CommandTreeBuilder;
import dev.gavel.cli.CompletionCommand;
import dev.gavel.cli.GavelRootCommand;
import dev.gavel.cli.HealthCommand;
import dev.gavel.cli.login.LoginCommand;
import dev.gavel.cli.login.LogoutCommand;
import dev.gavel.cli.mcp.BridgeCommand;
import dev.gavel.cli.mcp.McpStdioCommand;
import dev.gavel.cli.member.MemberCommand;
import dev.gavel.cli.member.TokenCommand;
import dev.gavel.cli.proposal.ApproveCommand;
import dev.gavel.cli.proposal.ProposalsCommand;
import dev.gavel.cli.proposal.ProposeCommand;
import dev.gavel.cli.proposal.RejectCommand;
import dev.gavel.cli.proposal.SendReviewStatusCommand;
import dev.gavel.cli.proposal.ShowCommand;
import dev.gavel.cli.proposal.WithdrawCommand;
import dev.gavel.cli.review.ReviewCommand;
import dev.gavel.cli.sep.SepCommand;
import dev.gavel.cli.topic.CallsCommand;
import dev.gavel.cli.topic.TopicCommand;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/** Defines which commands the program has, and runs a command line with them. */
public final class GavelCommands {
    private static final CommandTreeBuilder COMMANDS = new CommandTreeBuilder(
            List.of(
                    ServeCommand.class,
                    DemoCommand.class,
                    ConsoleCommand.class,
                    BridgeCommand.class,
                    McpStdioCommand.class,
                    ProposeCommand.class,
                    ProposalsCommand.class,
                    CallsCommand.class,
                    ShowCommand.class,
                    ReviewCommand.class,
                    ApproveCommand.class,
                    RejectCommand.class,
                    WithdrawCommand.class,
                    SendReviewStatusCommand.class,
                    TopicCommand.class,
                    LoginCommand.class,
                    LogoutCommand.class,
                    TokenCommand.class,
                    MemberCommand.class,
                    ConfigCommand.class,
                    LedgerCommand.class,
                    HealthCommand.class,
                    CompletionCommand.class,
                    DemoFilesServerCommand.class,
                    SepCommand.class),
            Map.of(SepCommand.class, List.of(SepBoardCommand.class)));

    private GavelCommands() {}

    /** Runs a command line of this process and returns its exit code. */
    public static int run(String... arguments) {
        return run(CommandEnvironment.ofProcess(), writer(System.out), writer(System.err), arguments);
    }

    /** Runs a command line in another environment and returns its exit code. */
    public static int run(CommandEnvironment here, PrintWriter out, PrintWriter err, String... arguments) {
        if (arguments.length > 0 && arguments[0].equals("serve")) {
            ServeCommand.preloadProcess();
        }
        return GavelRootCommand.run(COMMANDS, here, out, err, arguments);
    }

    /** Creates the parser for a command line, without running it. */
    static CommandLine commandLine(CommandEnvironment here, PrintWriter out, PrintWriter err, String... words) {
        return GavelRootCommand.commandLine(COMMANDS, here, out, err, words);
    }

    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(stream, true, stream.charset());
    }
}
