package dev.gavel.app.cli;

import dev.gavel.app.cli.sep.BoardCommand;
import dev.gavel.app.cli.sep.SepCommand;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/** Lists all commands of the program and runs a command line with them. */
public final class GavelCommands {
    private static final Commands COMMANDS = new Commands(
            List.of(
                    ServeCommand.class,
                    DemoCommand.class,
                    BridgeCommand.class,
                    McpCommand.class,
                    ProposeCommand.class,
                    ProposalsCommand.class,
                    ShowCommand.class,
                    ReviewCommand.class,
                    ApproveCommand.class,
                    RejectCommand.class,
                    WithdrawCommand.class,
                    StatusCommand.class,
                    TopicCommand.class,
                    TokenCommand.class,
                    MemberCommand.class,
                    ConfigCommand.class,
                    LedgerCommand.class,
                    HealthCommand.class,
                    CompletionCommand.class,
                    DemoFilesCommand.class,
                    SepCommand.class),
            Map.of(SepCommand.class, List.of(BoardCommand.class)));

    private GavelCommands() {}

    /** Runs a command line of this process and returns its exit code. */
    public static int run(String... arguments) {
        return run(Surroundings.real(), writer(System.out), writer(System.err), arguments);
    }

    /** Runs a command line in another environment and returns its exit code. */
    public static int run(Surroundings here, PrintWriter out, PrintWriter err, String... arguments) {
        if (arguments.length > 0 && arguments[0].equals("serve")) {
            ServeCommand.readAhead();
        }
        return GavelCommand.run(COMMANDS, here, out, err, arguments);
    }

    /** The parser of these words, without running them. */
    static CommandLine line(Surroundings here, PrintWriter out, PrintWriter err, String... words) {
        return GavelCommand.line(COMMANDS, here, out, err, words);
    }

    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(stream, true, stream.charset());
    }
}
