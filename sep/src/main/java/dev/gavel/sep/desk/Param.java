package dev.gavel.sep.desk;

import dev.gavel.mcpx.json.Json;
import java.util.Locale;

/**
 * Something a verb takes. Immutable.
 *
 * @param says what it is, in a few words
 */
public record Param(String name, Type type, boolean required, String says) {
    /** What its values are. */
    public enum Type {
        TEXT("string"),
        NUMBER("integer"),
        TRUTH("boolean"),
        /** An object whose values are texts, or lists of texts. */
        TEXTS("object");

        private final String word;

        Type(String word) {
            this.word = word;
        }

        /** What a JSON schema calls it. */
        public String word() {
            return word;
        }

        boolean fits(Json value) {
            return switch (this) {
                case TEXT -> value.type() == Json.Type.TEXT;
                case NUMBER -> value.type() == Json.Type.NUMBER && value.number(-1) >= 0;
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

    static Param text(String name, String says) {
        return new Param(name, Type.TEXT, true, says);
    }

    static Param number(String name, String says) {
        return new Param(name, Type.NUMBER, true, says);
    }

    static Param truth(String name, String says) {
        return new Param(name, Type.TRUTH, true, says);
    }

    static Param texts(String name, String says) {
        return new Param(name, Type.TEXTS, true, says);
    }

    /** The same, which may be left out. */
    Param optional() {
        return new Param(name, type, false, says);
    }
}
