package dev.gavel.mcpx.proposal;

import dev.gavel.mcpx.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The parameters of a proposed call, split into the parts that a reviewer reads separately. Together with the target,
 * they are everything that an approval sends on. Immutable.
 *
 * @param target the name of the tool or prompt, or the URI of the resource; empty if the call has neither
 * @param arguments missing if the call has none
 * @param others the other parameters, as an object
 * @param metadata what the client adds to each call as {@code _meta}; missing if there is none. A progress token that
 *     only repeats the proposal's id is left out
 */
public record CallParameters(String target, Json arguments, Json others, Json metadata) {
    private static final String META = "_meta";
    private static final String ARGUMENTS = "arguments";

    /** Sorts the parameters of a call whose method is not known: a name comes before a URI as its target. */
    public static CallParameters of(Json params, String proposal) {
        return of(params.at("name").asText().isPresent() ? "name" : "uri", params, proposal);
    }

    /** Sorts the parameters of a call of this method. Only the field that the method runs is the target. */
    public static CallParameters ofMethod(String method, Json params, String proposal) {
        return of(method.startsWith("resources/") ? "uri" : "name", params, proposal);
    }

    private static CallParameters of(String targetName, Json params, String proposal) {
        Map<String, Json> others = new LinkedHashMap<>(params.members());
        others.remove(ARGUMENTS);
        others.remove(META);
        params.at(targetName).asText().ifPresent(found -> others.remove(targetName));
        Json ownProgressToken = Json.object().with("progressToken", Json.ofText(proposal));
        return new CallParameters(
                params.at(targetName).asText().orElse(""),
                params.at(ARGUMENTS),
                Json.write(json -> {
                    json.writeStartObject();
                    others.forEach((name, value) -> {
                        json.writeName(name);
                        json.writeRawValue(value.raw());
                    });
                    json.writeEndObject();
                }),
                params.at(META).equals(ownProgressToken) ? Json.object().at(META) : params.at(META));
    }
}
