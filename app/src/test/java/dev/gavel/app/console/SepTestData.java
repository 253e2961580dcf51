package dev.gavel.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Brings SEPs to the state in which a page test begins, through the API. */
final class SepTestData {
    private final ConsoleTestServer consoleTestServer;

    SepTestData(ConsoleTestServer consoleTestServer) {
        this.consoleTestServer = consoleTestServer;
    }

    static String document(String title) {
        return """
                # SEP-0000: %s

                - **Status**: Draft
                - **Type**: Standards Track
                - **Created**: 2026-01-05
                - **Authors**: Carol (@carol)
                - **Sponsor**: None (seeking sponsor)
                - **Discussion**: https://example.org/talk

                ## Abstract

                Long lists come in pages.

                ## Motivation

                Servers have lists too long for one answer.

                ## Specification

                A list has a cursor.

                ## Rationale

                Cursors survive changes of the list.

                ## Backward Compatibility

                Nothing breaks.

                ## Security Implications

                None.

                ## Reference Implementation

                To come.
                """.formatted(title);
    }

    /** Submits a SEP as carol. */
    int submit(String title) throws IOException, InterruptedException {
        return request("carol", "POST", "/seps", Map.of("document", document(title)))
                .path("number")
                .asInt();
    }

    /** Advances a new SEP to the state in which it is voted on. */
    void moveToReview(int number) throws IOException, InterruptedException {
        act("bob", number, "sponsor", Map.of());
        agreeOnGoals(number);
        act("bob", number, "move", Map.of("to", "provisional"));
        act("bob", number, "move", Map.of("to", "in-review", "reason", "reads well"));
    }

    /** Bob, the sponsor, links the goals, and alice confirms them. */
    void agreeOnGoals(int number) throws IOException, InterruptedException {
        attach("bob", number, "goals", "https://example.org/goals");
        act("alice", number, "confirm", Map.of("kind", "goals"));
    }

    void attach(String identity, int number, String kind, String value) throws IOException, InterruptedException {
        act(identity, number, "attach", Map.of("evidence", Map.of(kind, value)));
    }

    void act(String identity, int number, String verb, Map<String, ?> arguments)
            throws IOException, InterruptedException {
        request(identity, "POST", "/seps/" + number + "/" + verb, arguments);
    }

    JsonNode request(String identity, String method, String path, Map<String, ?> body)
            throws IOException, InterruptedException {
        HttpResponse<String> answer =
                consoleTestServer.call(method, identity, path, ConsoleTestServer.JSON.writeValueAsString(body));
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 201);
        return ConsoleTestServer.JSON.readTree(answer.body());
    }

    /** The SEP as the API returns it to carol. */
    JsonNode show(int number) throws IOException, InterruptedException {
        return ConsoleTestServer.JSON.readTree(
                consoleTestServer.call("GET", "carol", "/seps/" + number, "").body());
    }

    /** The SEP's document. */
    String text(int number) throws IOException, InterruptedException {
        return consoleTestServer
                .call("GET", "carol", "/seps/" + number + "/document", "")
                .body();
    }
}
