package dev.gavel.sep.board;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Writes the style sheet and the icon of a static board. Stateless. */
final class BoardAssetWriter {
    private BoardAssetWriter() {}

    static void write(BoardFileSink sink) throws IOException {
        for (String name : new String[] {"board.css", "icon.svg"}) {
            sink.write("assets/" + name, read(name));
        }
    }

    private static String read(String name) {
        try (InputStream stream = BoardAssetWriter.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException("The installation is incomplete: " + name + " is missing");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
