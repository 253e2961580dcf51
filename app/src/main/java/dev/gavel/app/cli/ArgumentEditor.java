package dev.gavel.app.cli;

import dev.gavel.app.terminal.Canvas;
import dev.gavel.app.terminal.IgnoredInterrupt;
import dev.gavel.mcpx.text.SafeText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Has a text edited in the editor that its user chose. It is kept meanwhile in a file that nobody else can read.
 *
 * @param command may have arguments, as shells take them
 */
record ArgumentEditor(String command) {
    private static final int LARGEST = 16 * 1024 * 1024;
    private static final int NOT_FOUND = 127;

    /** What came of it. */
    sealed interface Edited {
        record Text(String text) implements Edited {}

        record Failed(String why) implements Edited {}
    }

    /** The editor named by VISUAL or EDITOR, else vi, as other programs have it. */
    static ArgumentEditor of(Surroundings here) {
        return new ArgumentEditor(
                here.variable("VISUAL").or(() -> here.variable("EDITOR")).orElse("vi"));
    }

    /** Edits a text on a terminal, which the editor has for itself meanwhile. */
    Edited edit(String text, Canvas canvas) throws InterruptedException {
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
                canvas.lend(() -> exit[0] = run(file));
                return exit[0] == 0 ? read(file) : new Edited.Failed(failure(exit[0]));
            } finally {
                Files.deleteIfExists(file);
                Files.deleteIfExists(directory);
            }
        } catch (IOException e) {
            return new Edited.Failed("the arguments could not be edited: " + SafeText.line(Complaint.reason(e)));
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
                try (IgnoredInterrupt _ = new IgnoredInterrupt()) {
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

    private static Edited read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(LARGEST + 1);
            return bytes.length > LARGEST
                    ? new Edited.Failed("what the editor left is far too large for arguments")
                    : new Edited.Text(new String(bytes, StandardCharsets.UTF_8));
        }
    }
}
