package dev.gavel.cli.review;

import dev.gavel.cli.CommandEnvironment;
import dev.gavel.cli.CommandException;
import dev.gavel.cli.terminal.SigintSuppressor;
import dev.gavel.cli.terminal.TerminalDisplay;
import dev.gavel.mcpx.text.SafeText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Opens the arguments of a call in the reviewer's editor, in a private temporary file. It is kept meanwhile in a file
 * that nobody else can read.
 *
 * @param command may have arguments, as shells take them
 */
record ArgumentEditor(String command) {
    private static final int MAX_BYTES = 16 * 1024 * 1024;
    private static final int NOT_FOUND = 127;

    /** What came of it. */
    sealed interface EditResult {
        record Text(String text) implements EditResult {}

        record Failed(String why) implements EditResult {}
    }

    /** The editor named by VISUAL or EDITOR, else vi, as other programs have it. */
    static ArgumentEditor of(CommandEnvironment here) {
        return new ArgumentEditor(
                here.variable("VISUAL").or(() -> here.variable("EDITOR")).orElse("vi"));
    }

    /** Edits a text on a terminal, which the editor has for itself meanwhile. */
    EditResult edit(String text, TerminalDisplay terminalDisplay) throws InterruptedException {
        try {
            // Made for its owner alone, as all temporary directories are.
            Path directory = Files.createTempDirectory("gavel-review");
            Path file = directory.resolve("arguments.json");
            // Where the program is stopped meanwhile; the file goes before what it is in.
            directory.toFile().deleteOnExit();
            file.toFile().deleteOnExit();
            try {
                Files.createFile(
                        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
                Files.writeString(file, text + "\n");
                int[] exit = new int[1];
                terminalDisplay.suspendFor(() -> exit[0] = run(file));
                return exit[0] == 0 ? read(file) : new EditResult.Failed(failure(exit[0]));
            } finally {
                Files.deleteIfExists(file);
                Files.deleteIfExists(directory);
            }
        } catch (IOException e) {
            return new EditResult.Failed(
                    "the arguments could not be edited: " + SafeText.line(CommandException.describe(e)));
        }
    }

    private int run(Path file) throws InterruptedException {
        Path notYet = file.resolveSibling("not-yet");
        notYet.toFile().deleteOnExit();
        // The shell is told of Ctrl-C as well; what counts is how the editor takes it. It waits until we ignore Ctrl-C:
        // were that so before it is started, it would ignore it, too.
        String script = "trap : INT\nwhile [ -e \"$2\" ]; do sleep 0.02; done\n[ -e \"$1\" ] && " + command + " \"$1\"";
        try {
            Files.createFile(notYet);
            try {
                Process editor = new ProcessBuilder("/bin/sh", "-c", script, "sh", file.toString(), notYet.toString())
                        .inheritIO()
                        .start();
                try (SigintSuppressor _ = new SigintSuppressor()) {
                    Files.delete(notYet);
                    return editor.waitFor();
                }
            } finally {
                Files.deleteIfExists(notYet);
            }
        } catch (IOException e) {
            return NOT_FOUND;
        }
    }

    private String failure(int exit) {
        return exit == NOT_FOUND
                ? "there is no editor '" + SafeText.line(command) + "'; set VISUAL or EDITOR to yours"
                : "the editor ended with exit code " + exit + ", so nothing was changed";
    }

    private static EditResult read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            return bytes.length > MAX_BYTES
                    ? new EditResult.Failed("what the editor left is far too large for arguments")
                    : new EditResult.Text(new String(bytes, StandardCharsets.UTF_8));
        }
    }
}
