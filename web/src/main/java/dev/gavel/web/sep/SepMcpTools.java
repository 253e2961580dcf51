package dev.gavel.web.sep;

import dev.gavel.gateway.proposal.CallRiskAssessor;
import dev.gavel.lifecycle.process.ProposalTerms;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.service.SepOperation;
import dev.gavel.sep.service.SepResult;
import dev.gavel.sep.text.SepResultFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;

/**
 * Converts SEP operations to MCP tool descriptions, and the results of these operations to MCP tool results. Stateless.
 */
final class SepMcpTools {
    private static final List<SepOperation> TOOL_OPERATIONS = Arrays.stream(SepOperation.values())
            .filter(sepOperation -> sepOperation.toolName().isPresent())
            .toList();

    private SepMcpTools() {}

    /** The result of {@code tools/list}. */
    static Json list(ProposalTerms terms) {
        return Json.write(json -> {
            json.writeStartObject();
            json.writeArrayPropertyStart("tools");
            TOOL_OPERATIONS.forEach(sepOperation -> writeTool(json, sepOperation, terms));
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    /** Returns the operation of a tool. */
    static Optional<SepOperation> find(String tool) {
        return TOOL_OPERATIONS.stream()
                .filter(sepOperation ->
                        sepOperation.toolName().filter(tool::equals).isPresent())
                .findFirst();
    }

    private static String description(SepOperation sepOperation, ProposalTerms terms) {
        return sepOperation.isMutating()
                ? sepOperation.description(terms) + " The " + terms.name()
                        + " records the identity that sends the call: if a reviewer approves your call, it records the"
                        + " reviewer, not you."
                : sepOperation.description(terms);
    }

    private static void writeTool(JsonGenerator json, SepOperation sepOperation, ProposalTerms terms) {
        json.writeStartObject();
        json.writeStringProperty("name", sepOperation.toolName().orElseThrow());
        json.writeStringProperty("description", description(sepOperation, terms));
        json.writeName("inputSchema");
        json.writeRawValue(sepOperation.schema(terms).raw());
        json.writeObjectPropertyStart("annotations");
        json.writeBooleanProperty("readOnlyHint", !sepOperation.isMutating());
        if (sepOperation.isMutating()) {
            // The history stays, but another call cannot undo a decision.
            json.writeBooleanProperty("destructiveHint", sepOperation == SepOperation.MOVE);
            json.writeBooleanProperty("idempotentHint", false);
            // Warns a reviewer, who would make the call in the reviewer's own name.
            json.writeBooleanProperty(CallRiskAssessor.CALLER_IDENTITY_HINT, true);
        }
        json.writeBooleanProperty("openWorldHint", false);
        json.writeEndObject();
        json.writeEndObject();
    }

    /** Converts a result. A refusal is a tool result too, so that the calling model reads it. */
    static Json result(SepOperation sepOperation, SepResult sepResult) {
        return switch (sepResult) {
            case SepResult.Success(Json body) ->
                result(String.join("\n", SepResultFormatter.format(sepOperation, body)), body, false);
            case SepResult.Refused(String code, String message, Json details) ->
                errorResult(code.replace('-', '_'), message, details);
            case SepResult.InvalidRequest(String message) -> errorResult("bad_arguments", message, Json.object());
            case SepResult.NotFound(String message) -> errorResult("unknown_sep", message, Json.object());
            case SepResult.Unavailable(String reason, var retryAfter) ->
                errorResult(
                        "unavailable",
                        reason + "; nothing was changed; try again in " + Math.max(1, retryAfter.toSeconds()) + " s",
                        Json.object());
        };
    }

    private static Json errorResult(String code, String message, Json details) {
        return result(message, details.with("code", Json.ofText(code)).with("detail", Json.ofText(message)), true);
    }

    private static Json result(String text, Json structured, boolean isError) {
        return Json.write(json -> {
            json.writeStartObject();
            json.writeArrayPropertyStart("content");
            json.writeStartObject();
            json.writeStringProperty("type", "text");
            json.writeStringProperty("text", text);
            json.writeEndObject();
            json.writeEndArray();
            json.writeName("structuredContent");
            json.writeRawValue(structured.raw());
            json.writeBooleanProperty("isError", isError);
            json.writeEndObject();
        });
    }
}
