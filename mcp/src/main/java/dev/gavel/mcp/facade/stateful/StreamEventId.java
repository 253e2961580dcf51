package dev.gavel.mcp.facade.stateful;

import dev.gavel.mcpx.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The id of an event in a session's streams. For a proposed call, it also names the proposal, so that every process can
 * continue the response: {@code STREAM_NUMBER.REQUEST.PROPOSAL}, where REQUEST is the id of the client's request in
 * Base64. Immutable.
 *
 * @param stream the name of the stream
 * @param number the number of the event in the stream
 * @param call the proposed call that the stream belongs to, if any
 */
record StreamEventId(String stream, long number, Optional<StreamCall> call) {
    private static final int MAX_REQUEST_LENGTH = 128;
    private static final Pattern PROPOSAL = Pattern.compile("[A-Za-z0-9-]{1,128}");
    private static final Pattern PATTERN =
            Pattern.compile("([a-z0-9]{1,20})_(\\d{1,15})(?:\\.([A-Za-z0-9_-]{1,180})\\.(" + PROPOSAL + "))?");

    /**
     * A proposed call, and the client's request for it.
     *
     * @param request the id of the request, as raw JSON
     */
    record StreamCall(String request, String proposal) {
        /** Returns a call, unless its ids are too long for an event id. */
        static Optional<StreamCall> of(String request, String proposal) {
            return request.length() <= MAX_REQUEST_LENGTH
                            && PROPOSAL.matcher(proposal).matches()
                    ? Optional.of(new StreamCall(request, proposal))
                    : Optional.empty();
        }

        private static Optional<StreamCall> decode(String request, String proposal) {
            try {
                String raw = new String(Base64.getUrlDecoder().decode(request), StandardCharsets.UTF_8);
                // The client sends the id back, and it becomes part of a response.
                return Json.parse(raw)
                        .filter(json -> json.type() == Json.Type.TEXT || json.type() == Json.Type.NUMBER)
                        .flatMap(json -> of(json.raw(), proposal));
            } catch (IllegalArgumentException e) {
                return Optional.empty();
            }
        }
    }

    /** Parses an id that a client sends back; empty if no session sent it. */
    static Optional<StreamEventId> parse(String text) {
        Matcher id = PATTERN.matcher(text);
        return id.matches()
                ? Optional.of(new StreamEventId(
                        id.group(1),
                        Long.parseLong(id.group(2)),
                        id.group(3) == null ? Optional.empty() : StreamCall.decode(id.group(3), id.group(4))))
                : Optional.empty();
    }

    /** Returns the text of the id. */
    String text() {
        return stream
                + "_"
                + number
                + call.map(each -> "."
                                + Base64.getUrlEncoder()
                                        .withoutPadding()
                                        .encodeToString(each.request().getBytes(StandardCharsets.UTF_8))
                                + "." + each.proposal())
                        .orElse("");
    }
}
