package dev.gavel.sep.service;

import dev.gavel.mcpx.json.Json;
import java.util.Locale;

/**
 * A parameter of a SEP operation: name, type, whether it is required, and description. Immutable.
 *
 * @param description a description in a few words, with placeholders for {@link dev.gavel.lifecycle.process.ProposalTerms}
 */
public record SepParameter(String name, Type type, boolean required, String description) {
    /** The type of the values. */
    public enum Type {
        TEXT("string"),
        NUMBER("integer"),
        TRUTH("boolean"),
        /** An object whose values are texts, or lists of texts. */
        TEXTS("object");

        private final String schemaType;

        Type(String word) {
            this.schemaType = word;
        }

        /** Returns the type in JSON schema. */
        public String schemaType() {
            return schemaType;
        }

        boolean accepts(Json value) {
            return switch (this) {
                case TEXT -> value.type() == Json.Type.TEXT;
                case NUMBER -> value.type() == Json.Type.NUMBER && value.asLong(-1) >= 0;
                case TRUTH -> value.type() == Json.Type.BOOLEAN;
                case TEXTS ->
                    value.type() == Json.Type.OBJECT
                            && value.members().values().stream().allMatch(Type::isTextOrTexts);
            };
        }

        private static boolean isTextOrTexts(Json value) {
            return value.type() == Json.Type.TEXT
                    || (value.type() == Json.Type.ARRAY
                            && value.elements().stream().allMatch(each -> each.type() == Json.Type.TEXT));
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static SepParameter text(String name, String description) {
        return new SepParameter(name, Type.TEXT, true, description);
    }

    static SepParameter number(String name, String description) {
        return new SepParameter(name, Type.NUMBER, true, description);
    }

    static SepParameter flag(String name, String description) {
        return new SepParameter(name, Type.TRUTH, true, description);
    }

    static SepParameter texts(String name, String description) {
        return new SepParameter(name, Type.TEXTS, true, description);
    }

    /** Returns an optional copy of this parameter. */
    SepParameter optional() {
        return new SepParameter(name, type, false, description);
    }
}
