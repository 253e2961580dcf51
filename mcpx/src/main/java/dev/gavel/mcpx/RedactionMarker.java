package dev.gavel.mcpx;

import dev.gavel.mcpx.json.Json;
import java.util.Optional;

/**
 * The marker that stands for a secret value that the gateway does not show: an object with one reserved name. Only the
 * gateway may put a marker into a call, because a reviewer takes the marker for a value that Gavel hides. Stateless.
 */
public final class RedactionMarker {
    /** The only name in the object. */
    public static final String NAME = "dev.gavel/redacted";

    /** The marker of a value as it was proposed. */
    public static final Json PROPOSED = of("secret");

    /** The marker of a value that the reviewer edited. */
    public static final Json EDITED = of("secret, edited by the reviewer");

    private RedactionMarker() {}

    private static Json of(String text) {
        return Json.object().with(NAME, Json.ofText(text));
    }

    /** Whether a value is exactly a marker of the gateway. An object with further names, or with another text, is not. */
    public static boolean isMarker(Json value) {
        return value.equals(PROPOSED) || value.equals(EDITED);
    }

    /** Whether a value has the reserved name at any depth. */
    public static boolean isNamedIn(Json value) {
        return switch (value.type()) {
            case OBJECT ->
                value.members().containsKey(NAME)
                        || value.members().values().stream().anyMatch(RedactionMarker::isNamedIn);
            case ARRAY -> value.elements().stream().anyMatch(RedactionMarker::isNamedIn);
            default -> false;
        };
    }

    /** Whether the payload of an envelope has the reserved name at any depth. Escapes in a name do not matter. */
    public static boolean isNamedIn(Envelope envelope) {
        // The reader of the envelope has seen every name, so most payloads need not be parsed again.
        return envelope.mayNameRedactionMarker()
                && Optional.of(envelope.payload().toString())
                        .flatMap(Json::parse)
                        .map(RedactionMarker::isNamedIn)
                        .orElse(true);
    }
}
