package dev.gavel.app.command;

import dev.gavel.mcpx.text.SafeText;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Writes lines of JSON to a terminal, with control, bidirectional and invisible characters as JSON escapes. Not
 * thread-safe.
 */
final class SafeJsonLineOutputStream extends FilterOutputStream {
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    SafeJsonLineOutputStream(OutputStream terminal) {
        super(terminal);
    }

    @Override
    public void write(int each) throws IOException {
        line.write(each);
        if (each == '\n') {
            writeLine();
        }
    }

    private void writeLine() throws IOException {
        out.write(SafeText.json(line.toString(StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8));
        line.reset();
    }

    @Override
    public void close() throws IOException {
        writeLine();
        super.close();
    }
}
