package dev.gavel.app.edge.console.inbox;

import dev.gavel.app.config.Listen;
import dev.gavel.client.http.LocalServer;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What to type in a terminal to propose something, as it stands. Immutable.
 *
 * @param called how whoever started the server called the program
 * @param publicUrl where the server is reached from outside, where that is configured
 * @param tls whether it speaks TLS itself
 * @param agent where the token of the default configuration's agent is kept
 */
record Hint(String called, Optional<URI> publicUrl, boolean tls, Path agent) {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._@:/+-]+");

    String command() {
        return word(called);
    }

    /** Where the server is, unless that is where the program looks anyway, and whose token could be used. */
    String options(HttpServerRequest request, String reader) {
        String url = publicUrl.map(URI::toString).orElseGet(() -> (tls ? "https://" : "http://") + request.authority());
        String where = url.equals("http://" + Listen.DEFAULT) ? "" : "--url " + word(url) + " ";
        return where + "--token "
                + (!reader.equals(LocalServer.AGENT) && Files.exists(agent) ? word("file:" + agent) : "THEIR-TOKEN");
    }

    private static String word(String text) {
        return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}
