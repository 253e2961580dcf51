package dev.gavel.web.console.inbox;

import dev.gavel.client.http.ListenAddress;
import dev.gavel.client.http.LocalServerDefaults;
import io.vertx.core.http.HttpServerRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.IntFunction;
import java.util.regex.Pattern;

/**
 * Builds the terminal command that the empty inbox suggests for proposing something. Immutable.
 *
 * @param programName the name by which the program was started
 * @param apiBaseUrl returns the URL of the API if the server listens on this port
 * @param agentTokenFile the file that contains the token of the default configuration's agent
 */
record ProposeCommandHint(String programName, IntFunction<String> apiBaseUrl, Path agentTokenFile) {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._@:/+-]+");

    String command() {
        return quote(programName);
    }

    /** Returns the options for the server's URL, unless it is the program's default, and for a token to use. */
    String options(HttpServerRequest request, String reader) {
        String url = apiBaseUrl.apply(request.localAddress().port());
        String where = url.equals("http://" + ListenAddress.DEFAULT) ? "" : "--url " + quote(url) + " ";
        return where + "--token "
                + (!reader.equals(LocalServerDefaults.AGENT) && Files.exists(agentTokenFile)
                        ? quote("file:" + agentTokenFile)
                        : "AGENT-TOKEN");
    }

    private static String quote(String text) {
        return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}
