package dev.gavel.app.command;

import dev.gavel.cli.CommandException;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.OfflineJsonOption;
import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code gavel console} command: shows or opens the address of a running server's console. */
@Command(
        name = "console",
        description = "Show or open the address of the console.",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  gavel console",
            "  gavel console --open",
            "  gavel console --data /var/lib/gavel",
            "",
            "Run the command on the server's machine, with the server's data directory. On a",
            "loopback address, the console has a random host name such as",
            "gavel-RANDOM.localhost, so that no other program on the machine receives your",
            "session. Do not give this name to agents.",
        })
final class ConsoleCommand implements Callable<Integer> {
    @Mixin
    private final ConfigAndDataOptions configAndDataOptions = new ConfigAndDataOptions();

    @Mixin
    private final OfflineJsonOption json = new OfflineJsonOption();

    @Option(names = "--open", description = "Open the console in the browser.")
    private boolean open;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() {
        Path data = configAndDataOptions.dataDirectory();
        URI url = url(data);
        if (open) {
            try {
                BrowserLauncher.open(data, url);
            } catch (IOException e) {
                throw new CommandException(
                        ExitCode.FAILURE,
                        "cannot open a browser: " + e.getMessage() + ". Open " + url + " in your browser.");
            }
        }
        PrintWriter out = spec.commandLine().getOut();
        if (json.isGiven(spec)) {
            out.println(Json.write(document -> {
                document.writeStartObject();
                document.writeStringProperty("console", url.toString());
                document.writeEndObject();
            }));
        } else {
            out.println(url);
        }
        out.flush();
        return ExitCode.SUCCESS;
    }

    private static URI url(Path data) {
        try {
            return ConsoleAddressFile.read(data)
                    .orElseThrow(() -> new CommandException(
                            ExitCode.FAILURE,
                            "no running server with a console uses the data directory " + data
                                    + ". Start one with 'gavel serve', or name another directory with --data. A server"
                                    + " that does not listen on a loopback address has a console only if publicUrl is"
                                    + " set."));
        } catch (IOException e) {
            throw new CommandException(
                    ExitCode.FAILURE,
                    "cannot read the console's address in " + data + ": " + CommandException.describe(e));
        }
    }
}
