package dev.gavel.app.demo;

import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.LocalDate;
import java.util.Map;

/**
 * Creates the demo's sample SEPs over HTTP, in the names of a sample author and sponsor. Both exist only in the demo.
 * Used by one thread.
 */
final class DemoSepSeeder {
    /** The identity that submits the SEPs. */
    static final String AUTHOR = "mira";

    /** The identity that sponsors the SEPs. */
    static final String SPONSOR = "ben";

    /** The core maintainer who confirms the goals of the sample SEPs. */
    static final String CORE_MAINTAINER = "ida";

    private static final String SUBMIT = "/seps";

    /** The placeholder text of unfinished sections. */
    private static final String UNWRITTEN = "To be written.";

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI url;
    private final Map<String, String> tokens;
    private final LocalDate today;

    /**
     * Creates a seeder; {@link #seed} creates the SEPs.
     *
     * @param tokens of the author, the sponsor and the core maintainer
     */
    DemoSepSeeder(URI url, Map<String, String> tokens, LocalDate today) {
        this.url = url;
        this.tokens = Map.copyOf(tokens);
        this.today = today;
    }

    /** Creates the SEPs, unless there are any. */
    void seed() throws IOException, InterruptedException {
        if (!request(AUTHOR, "GET", SUBMIT, Json.object()).at("seps").elements().isEmpty()) {
            return;
        }
        String costs = submit(
                "Cost annotations for tools",
                "A tool can declare what a call costs, in money or in time, so that reviewers know the cost.",
                "Calls that cost money look like calls that are free. Reviewers learn the cost only afterwards.",
                "The annotations of a tool can contain the field `cost`, an object with `amount` and `unit`.");
        String paging = submit(
                "Pagination for all lists",
                "Clients can request every list of a server page by page, always in the same way.",
                "Some lists have pages and others do not. Those with pages use three different methods. Clients repeat"
                        + " the same code, and make mistakes if a list changes between two pages.",
                UNWRITTEN);
        submit(
                "Unique tool names",
                "A server never reuses the name of a tool for another tool.",
                "Reviewers approve a tool by its name. If a server reuses the name, the new tool is approved unseen.",
                UNWRITTEN);
        for (String number : new String[] {costs, paging}) {
            post(SPONSOR, number, "sponsor", Json.object());
            post(
                    SPONSOR,
                    number,
                    "attach",
                    Json.object().with("evidence", evidence("goals", "https://example.org/reviews/" + number)));
            post(CORE_MAINTAINER, number, "confirm", Json.object().with("kind", Json.ofText("goals")));
            post(SPONSOR, number, "move", Json.object().with("to", Json.ofText("provisional")));
        }
        move(costs, "prototyping", "prototype", "https://example.org/costs-prototype");
        post(AUTHOR, costs, "attach", Json.object().with("evidence", evidence("ready", "every section is written")));
        post(
                SPONSOR,
                costs,
                "move",
                Json.object()
                        .with("to", Json.ofText("in-review"))
                        .with("reason", Json.ofText("The document is complete, and I have tested the prototype.")));
        post(
                SPONSOR,
                costs,
                "comment",
                Json.object()
                        .with(
                                "text",
                                Json.ofText(
                                        "The prototype omits `unit` in two places. Should the field be required?")));
    }

    private String submit(String title, String summary, String motivation, String specification)
            throws IOException, InterruptedException {
        String rest = specification.equals(UNWRITTEN) ? UNWRITTEN : "The alternative was to change nothing.";
        String document = """
                # SEP-0000: %s

                - **Status**: Proposal
                - **Type**: Standards Track
                - **Created**: %s
                - **Author(s)**: Mira (@mira)

                ## Abstract

                %s

                ## Motivation

                %s

                ## Specification

                %s

                ## Rationale

                %s

                ## Backward Compatibility

                %s

                ## Security Implications

                %s

                ## Reference Implementation

                %s
                """.formatted(
                        title,
                        today,
                        summary,
                        motivation,
                        specification,
                        rest,
                        specification.equals(UNWRITTEN)
                                ? UNWRITTEN
                                : "Clients that do not support this feature are not affected.",
                        specification.equals(UNWRITTEN)
                                ? UNWRITTEN
                                : "The declared cost is untrusted input, like all annotations of a tool.",
                        specification.equals(UNWRITTEN) ? UNWRITTEN : "The prototype is linked as evidence.");
        return request(AUTHOR, "POST", SUBMIT, Json.object().with("document", Json.ofText(document)))
                .at("number")
                .raw();
    }

    private void move(String number, String to, String kind, String link) throws IOException, InterruptedException {
        post(SPONSOR, number, "move", Json.object().with("to", Json.ofText(to)).with("evidence", evidence(kind, link)));
    }

    private static Json evidence(String kind, String value) {
        return Json.object().with(kind, Json.ofText(value));
    }

    private void post(String identity, String number, String verb, Json arguments)
            throws IOException, InterruptedException {
        request(identity, "POST", "/seps/" + number + "/" + verb, arguments);
    }

    private Json request(String identity, String method, String path, Json arguments)
            throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(url.resolve(path))
                        .header("Authorization", "Bearer " + tokens.get(identity))
                        .method(
                                method,
                                method.equals("GET")
                                        ? HttpRequest.BodyPublishers.noBody()
                                        : HttpRequest.BodyPublishers.ofString(arguments.raw()))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IOException(method + " " + path + " by " + identity + " returned " + answer.statusCode() + ": "
                    + answer.body());
        }
        return Json.parse(answer.body()).orElseGet(Json::object);
    }
}
