package dev.gavel.mcp.facade.call;

import dev.gavel.gateway.proposal.Fulfilment;
import dev.gavel.gateway.proposal.MemberNames;
import dev.gavel.gateway.proposal.ProposalSnapshot;
import dev.gavel.mcp.rpc.GavelMetaFields;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcpx.RawPayload;
import dev.gavel.mcpx.json.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.core.JsonGenerator;

/**
 * Tells a caller that a reviewer changed its call before approving it: with which arguments the call ran, and on which
 * participant if that is not the addressed one. It is added to the call's result; everything else in the result stays as
 * the tool returned it. Immutable.
 *
 * @param decidedBy the id of the reviewer; empty if the topic hides its reviewers from proposers
 * @param reviewerName the name of the reviewer in texts
 * @param arguments the arguments with which the call ran; a missing value if its method has none
 * @param changedParams the other parameters that the reviewer changed, with null for those that were removed
 * @param edited whether the reviewer changed the arguments or other parameters
 * @param redirect where the call ran, if the reviewer chose another participant than the addressed one
 */
record EditedCallNotice(
        Optional<String> decidedBy,
        String reviewerName,
        Json arguments,
        Json changedParams,
        boolean edited,
        Optional<Redirect> redirect) {
    /** The participants to which a call was addressed, and those on which it ran. */
    record Redirect(List<String> addressedTo, List<String> ranOn) {
        Redirect {
            addressedTo = List.copyOf(addressedTo);
            ranOn = List.copyOf(ranOn);
        }
    }

    /** Parameters that are shown otherwise, or that describe the conversation and not the call. */
    private static final Set<String> NOT_COMPARED = Set.of("arguments", "_meta");

    /** Limit on the characters of the arguments in the text. The field in {@code _meta} has all of them. */
    private static final int MAX_ARGUMENT_CHARACTERS = 2_000;

    /** Creates the notice of a call with edited parameters that ran where it was addressed. */
    EditedCallNotice(Optional<String> decidedBy, String reviewerName, Json arguments, Json changedParams) {
        this(decidedBy, reviewerName, arguments, changedParams, true, Optional.empty());
    }

    /** Returns the notice for a call, or empty if it ran as proposed. */
    static Optional<EditedCallNotice> of(ProposalSnapshot proposal, Fulfilment fulfilment, MemberNames names) {
        boolean edited = fulfilment.fulfilled().edited();
        Optional<Redirect> redirect = proposal.redirectedFrom().isEmpty()
                ? Optional.empty()
                : Optional.of(new Redirect(proposal.redirectedFrom(), fulfilment.addressees()));
        if (!edited && redirect.isEmpty()) {
            return Optional.empty();
        }
        String reviewer = fulfilment.fulfilled().actor();
        Json before = params(proposal.payload());
        Json after = params(fulfilment.fulfilled().payload());
        Json changedParams = changes(before, after);
        boolean hasArguments = before.at("arguments").isPresent()
                || after.at("arguments").isPresent()
                || changedParams.members().isEmpty();
        return Optional.of(new EditedCallNotice(
                names.hiddenIds().contains(reviewer) ? Optional.empty() : Optional.of(reviewer),
                names.of(reviewer),
                hasArguments && !after.at("arguments").isPresent() ? Json.object() : after.at("arguments"),
                changedParams,
                edited,
                redirect));
    }

    private static Json params(RawPayload payload) {
        return Json.parse(payload.toString()).orElseGet(Json::object).at("params");
    }

    private static Json changes(Json before, Json after) {
        Map<String, Json> changes = new TreeMap<>();
        Json removed = Json.write(JsonGenerator::writeNull);
        before.members().keySet().forEach(name -> changes.put(name, removed));
        changes.putAll(after.members());
        changes.keySet()
                .removeIf(name -> NOT_COMPARED.contains(name) || before.at(name).equals(after.at(name)));
        return Json.object(changes);
    }

    /** Adds the notice to a result: to {@code _meta} and, if the method's results have one, to a text for people. */
    Json addTo(Json result, String method) {
        Json meta = result.at("_meta").type() == Json.Type.OBJECT ? result.at("_meta") : Json.object();
        Json marked = result.with("_meta", meta.with(GavelMetaFields.DECISION, toJson()));
        return switch (method) {
            case "tools/call" ->
                switch (result.at("content").type()) {
                    case ARRAY, MISSING, NULL -> marked.with("content", withText(result.at("content")));
                    default -> marked;
                };
            // The messages of a prompt become part of the conversation as they are.
            case "prompts/get" ->
                marked.with("description", Json.ofText((result.at("description").text() + " " + sentence()).strip()));
            default -> marked;
        };
    }

    /** Adds the notice to a JSON-RPC error, whatever the server's error looks like. */
    Json addToError(Json error) {
        Json object = error.type() == Json.Type.OBJECT
                ? error
                : Json.object()
                        .with("code", Json.of(RpcErrorCode.INTERNAL.code()))
                        .with("message", Json.ofText(error.asText().orElseGet(error::compact)));
        Json data = object.at("data");
        Json dataObject = switch (data.type()) {
            case OBJECT -> data;
            case MISSING -> Json.object();
            default -> Json.object().with(GavelMetaFields.DATA, data);
        };
        return object.with("message", Json.ofText((object.at("message").text() + " " + sentence()).strip()))
                .with("data", dataObject.with(GavelMetaFields.DECISION, toJson()));
    }

    private Json withText(Json content) {
        return Json.write(json -> {
            json.writeStartArray();
            content.elements().forEach(each -> json.writeRawValue(each.raw()));
            json.writeStartObject();
            json.writeStringProperty("type", "text");
            json.writeStringProperty("text", sentence());
            json.writeEndObject();
            json.writeEndArray();
        });
    }

    private String sentence() {
        String where = redirect.map(each -> "Instead of on " + String.join(" and ", each.addressedTo()) + ", it ran on "
                        + String.join(" and ", each.ranOn()) + ".")
                .orElse("");
        if (!edited) {
            return "[Gavel: " + reviewerName + " chose another participant to run this call. " + where + "]";
        }
        boolean otherChanges = !changedParams.members().isEmpty();
        return "[Gavel: " + reviewerName + " edited this call before approving it. "
                + (where.isEmpty() ? "" : where + " ") + "It ran with "
                + (arguments.isPresent() ? "these arguments: " + excerpt(arguments) : "")
                + (arguments.isPresent() && otherChanges ? " and " : "")
                + (otherChanges ? "these changed parameters: " + excerpt(changedParams) : "")
                + "]";
    }

    private static String excerpt(Json value) {
        String text = value.compact();
        return text.length() <= MAX_ARGUMENT_CHARACTERS
                ? text
                : text.substring(0, text.offsetByCodePoints(0, text.codePointCount(0, MAX_ARGUMENT_CHARACTERS))) + "…";
    }

    private Json toJson() {
        return ClientMessageFactory.jsonObject(json -> {
            decidedBy.ifPresent(id -> json.writeStringProperty("decidedBy", id));
            json.writeBooleanProperty("edited", edited);
            redirect.ifPresent(each -> {
                writeTexts(json, "addressedTo", each.addressedTo());
                writeTexts(json, "ranOn", each.ranOn());
            });
            if (edited && arguments.isPresent()) {
                json.writeName("arguments");
                json.writeRawValue(arguments.raw());
            }
            if (!changedParams.members().isEmpty()) {
                json.writeName("changedParams");
                json.writeRawValue(changedParams.raw());
            }
        });
    }

    private static void writeTexts(JsonGenerator json, String name, List<String> texts) {
        json.writeArrayPropertyStart(name);
        texts.forEach(json::writeString);
        json.writeEndArray();
    }
}
