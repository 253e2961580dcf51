package dev.gavel.mcpx.proposal;

import dev.gavel.mcpx.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

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

    /**
     * Sorts the parameters of a call of this method. Only the field that the method runs is the target: the sender
     * chooses all other fields freely, so a call must not be named by them.
     */
    public static CallParameters ofMethod(String method, Json params, String proposal) {
        Optional<String> targetName = targetName(method);
        Optional<String> target = targetName.flatMap(name -> params.at(name).asText());
        Map<String, Json> others = new LinkedHashMap<>(params.members());
        others.remove(ARGUMENTS);
        others.remove(META);
        if (target.isPresent()) {
            targetName.ifPresent(others::remove);
        }
        Json ownProgressToken = Json.object().with("progressToken", Json.ofText(proposal));
        return new CallParameters(
                target.orElse(""),
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

    /** Returns the parameter that the method runs; empty if calls of this method have no target. */
    private static Optional<String> targetName(String method) {
        return switch (method) {
            case "tools/call", "prompts/get" -> Optional.of("name");
            default -> method.startsWith("resources/") ? Optional.of("uri") : Optional.empty();
        };
    }
}
