package dev.gavel.app.command;

import dev.gavel.app.demo.FileSandbox;
import dev.gavel.app.demo.SampleMcpServer;
import dev.gavel.cli.CommandException;
import dev.gavel.cli.ExitCode;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * The hidden {@code gavel demo-files} command: runs the demo's sample MCP server, which offers the files of a
 * directory.
 */
@Command(
        name = "demo-files",
        hidden = true,
        description = "Run an MCP server for sample files over standard input and output.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  gavel bridge --topic main --name files -- gavel demo-files ./sandbox",
            "",
            "Deleted files are moved to the folder .trash in the directory.",
        })
final class DemoFilesServerCommand implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", description = "The directory of the files. Nothing outside it is changed.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Path directory;

    @Override
    public Integer call() throws IOException {
        if (!Files.isDirectory(directory)) {
            throw new CommandException(
                    ExitCode.USAGE, "the directory '" + directory + "' does not exist. Create it first.");
        }
        // Standard output carries the protocol. Any other output between its lines would break it.
        try (OutputStream out = new FileOutputStream(FileDescriptor.out)) {
            System.setOut(System.err);
            new SampleMcpServer(new FileSandbox(directory), System.in, out).run();
        }
        return ExitCode.SUCCESS;
    }
}
