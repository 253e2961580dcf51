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
 * Opens the arguments of a call in the reviewer's editor, in a private temporary file. Only the reviewer's user account
 * can read the file.
 *
 * @param command the shell command of the editor; may include arguments
 */
record ArgumentEditor(String command) {
    private static final int MAX_BYTES = 16 * 1024 * 1024;
    private static final int NOT_FOUND = 127;

    /** The result of an edit. */
    sealed interface EditResult {
        record Text(String text) implements EditResult {}

        record Failed(String reason) implements EditResult {}
    }

    /** The editor named by the variable {@code VISUAL} or {@code EDITOR}, otherwise {@code vi}, as is usual. */
    static ArgumentEditor of(CommandEnvironment environment) {
        return new ArgumentEditor(environment
                .variable("VISUAL")
                .or(() -> environment.variable("EDITOR"))
                .orElse("vi"));
    }

    /** Edits a text; the editor has the terminal to itself meanwhile. */
    EditResult edit(String text, TerminalDisplay terminalDisplay) throws InterruptedException {
        try {
            // Java creates temporary directories with access for the owner only.
            Path directory = Files.createTempDirectory("gavel-review");
            Path file = directory.resolve("arguments.json");
            // Covers a program stopped during the edit. The JVM deletes in reverse order, so the file before its
            // directory.
            directory.toFile().deleteOnExit();
            file.toFile().deleteOnExit();
            try {
                Files.createFile(
                        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
                Files.writeString(file, text + "\n");
                int[] exitCode = new int[1];
                terminalDisplay.suspendFor(() -> exitCode[0] = run(file));
                return exitCode[0] == 0 ? read(file) : new EditResult.Failed(failure(exitCode[0]));
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
        Path gateFile = file.resolveSibling("not-yet");
        gateFile.toFile().deleteOnExit();
        // Ctrl-C reaches the shell too; the trap makes it go on, so that the editor alone decides what Ctrl-C does. The
        // shell waits until this process ignores Ctrl-C: if the process ignored it before the start, the editor would
        // inherit that.
        String script = "trap : INT\nwhile [ -e \"$2\" ]; do sleep 0.02; done\n[ -e \"$1\" ] && " + command + " \"$1\"";
        try {
            Files.createFile(gateFile);
            try {
                Process editor = new ProcessBuilder("/bin/sh", "-c", script, "sh", file.toString(), gateFile.toString())
                        .inheritIO()
                        .start();
                try (SigintSuppressor _ = new SigintSuppressor()) {
                    Files.delete(gateFile);
                    return editor.waitFor();
                }
            } finally {
                Files.deleteIfExists(gateFile);
            }
        } catch (IOException e) {
            return NOT_FOUND;
        }
    }

    private String failure(int exitCode) {
        return exitCode == NOT_FOUND
                ? "cannot find the editor '" + SafeText.line(command) + "'; set VISUAL or EDITOR"
                : "the editor ended with exit code " + exitCode + ", so nothing was changed";
    }

    private static EditResult read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            return bytes.length > MAX_BYTES
                    ? new EditResult.Failed("the edited file is too large: at most 16 MiB are allowed")
                    : new EditResult.Text(new String(bytes, StandardCharsets.UTF_8));
        }
    }
}
