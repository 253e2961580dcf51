package dev.gavel.sep.process;

import dev.gavel.lifecycle.file.ProcessFile;
import dev.gavel.lifecycle.file.Reading;
import dev.gavel.lifecycle.process.Process;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** The processes that come with the program, by their names. Stateless. */
public final class Processes {
    /** The one that counts where nobody says another. */
    public static final String USUAL = "sep-1286";

    // A jar's directories cannot be listed portably; a test holds this against the files there are.
    private static final List<String> KNOWN = List.of("mcp-2026", USUAL);

    private Processes() {}

    /** It takes a while to read and never changes, so it is read once, by whoever comes first. */
    private static final class Usual {
        private static final Process PROCESS = read(USUAL).orElseThrow();
    }

    /** What they are called, in the alphabet's order. */
    public static List<String> names() {
        return KNOWN.stream().filter(name -> resource(name).isPresent()).toList();
    }

    /** One of them; empty where none has that name. */
    public static Optional<Process> builtIn(String name) {
        return name.equals(USUAL) ? Optional.of(usual()) : read(name);
    }

    private static Optional<Process> read(String name) {
        return text(name).map(text -> switch (ProcessFile.read(name + ".yaml", text)) {
            case Reading.Sound sound -> sound.process();
            // Tests read every one of them, so nobody who runs the program sees this.
            case Reading.Unsound unsound ->
                throw new IllegalStateException("the process " + name + " is unsound: " + unsound.problems());
        });
    }

    /** The one that counts where nobody says another. */
    public static Process usual() {
        return Usual.PROCESS;
    }

    /** The file as it was written; empty where none has that name. */
    public static Optional<String> text(String name) {
        return KNOWN.contains(name) ? resource(name) : Optional.empty();
    }

    private static Optional<String> resource(String name) {
        try (InputStream stream = Processes.class.getResourceAsStream("/dev/gavel/sep/processes/" + name + ".yaml")) {
            return stream == null
                    ? Optional.empty()
                    : Optional.of(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("the program's own process " + name + " cannot be read", e);
        }
    }
}
