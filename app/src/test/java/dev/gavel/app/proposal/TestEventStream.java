package dev.gavel.app.proposal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.JsonNode;

/** An open event stream that a test reads event by event. Reads have no time limit: the tests that use one do. */
final class TestEventStream implements AutoCloseable {
    private final BufferedReader lines;

    /**
     * One event.
     *
     * @param id empty if it has none
     */
    record Item(String id, JsonNode envelope) {}

    TestEventStream(HttpResponse<InputStream> response) {
        assertThat(response.statusCode()).isEqualTo(200);
        lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    }

    Item next() throws IOException {
        String id = "";
        StringBuilder data = new StringBuilder();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("id:")) {
                id = line.substring(3).strip();
            } else if (line.startsWith("data:")) {
                data.append(line.substring(5)).append('\n');
            } else if (line.isEmpty() && !data.isEmpty()) {
                return new Item(id, TestEnvelope.JSON.readTree(data.toString()));
            }
        }
        throw new IOException("the stream ended");
    }

    /** The next event whose envelope has that id, ignoring others before it. */
    Item await(String id) throws IOException {
        Item item = next();
        while (!TestParticipant.id(item.envelope()).equals(id)) {
            item = next();
        }
        return item;
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
