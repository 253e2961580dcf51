package dev.gavel.web.sep;

import dev.gavel.app.TestServer;
import dev.gavel.app.command.GavelCommands;
import dev.gavel.cli.CommandEnvironment;
import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.Map;

/** A running server with the SEP service in a topic and five identities, for end-to-end tests. */
final class SepTestServer implements AutoCloseable {
    static final String DOCUMENT = """
            # Paging for every list

            - **Status**: Draft
            - **Type**: Standards Track

            ## Abstract

            Every list has pages.

            ## Motivation

            Lists grow long, and clients wait for all of one.
            """;

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    final TestServer server;
    private final Path directory;

    SepTestServer(Path directory) throws IOException {
        this.directory = directory;
        this.server = new TestServer("""
                listen: 127.0.0.1:0
                data: %s
                limits: {ask: off, bytes: off, rate: 100000/s}
                identities:
                  alice: {token: alice-0123456789abcdef}
                  agent: {token: agent-0123456789abcdef}
                  bob: {token: bob-0123456789abcdef, roles: [maintainer]}
                  carol: {token: carol-0123456789abcdef, roles: [core-maintainer]}
                  dave: {token: dave-0123456789abcdef, roles: [core-maintainer, admin]}
                topics:
                  ops: {participants: {alice: ["chat.*"]}}
                sep: {process: sep-1286, topic: seps, webhooks: []}
                """.formatted(directory.resolve("data")), 2);
    }

    /** A response to a request; a body that is not JSON is wrapped in a JSON string. */
    record ApiResponse(int status, String type, Json body) {
        String code() {
            return body.at("code").text();
        }
    }

    ApiResponse request(String identity, String method, String path, String body)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + server.listen() + path))
                .header("Authorization", "Bearer " + identity + TestServer.SECRET)
                .method(
                        method,
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body));
        return send(request.build());
    }

    static ApiResponse send(HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<String> response = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
        return new ApiResponse(
                response.statusCode(),
                response.headers().firstValue("Content-Type").orElse(""),
                Json.parse(response.body()).orElseGet(() -> Json.ofText(response.body())));
    }

    /** The request body with a document. */
    static String document(String text) {
        return Json.object().with("document", Json.ofText(text)).raw();
    }

    /** The result of a command. */
    record CommandOutput(int exit, String out, String err) {
        Json json() {
            return Json.parse(out).orElseThrow(() -> new AssertionError("no JSON document: " + out + err));
        }
    }

    /** Runs {@code gavel sep} with these arguments as an identity. */
    CommandOutput runCommand(String identity, String... words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        String[] all = new String[words.length + 1];
        all[0] = "sep";
        System.arraycopy(words, 0, all, 1, words.length);
        Map<String, String> variables =
                Map.of("GAVEL_URL", "http://" + server.listen(), "GAVEL_TOKEN", identity + TestServer.SECRET);
        int exit = GavelCommands.run(
                new CommandEnvironment(variables::get, directory, false, ZoneOffset.UTC),
                new PrintWriter(out),
                new PrintWriter(err),
                all);
        return new CommandOutput(exit, out.toString(), err.toString());
    }

    @Override
    public void close() {
        server.close();
    }
}
