package dev.gavel.gateway.call;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gavel.mcpx.RawPayload;
import dev.gavel.mcpx.json.Json;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.TreeMap;

/**
 * Computes the digest by which a call record identifies the parameters of a call without containing them. It is the
 * SHA-256 of the parameters without {@code _meta}, in the canonical form of RFC 8785, except that numbers stay as they
 * were sent: so large numbers that differ have different digests. Stateless.
 */
public final class CallParamsDigest {
    private static final String META = "_meta";

    private CallParamsDigest() {}

    /** Returns the digest of a request's parameters, in hexadecimal. */
    static String of(RawPayload request) {
        return of(Json.parse(request.toString()).orElseGet(Json::object).at("params"));
    }

    /** Returns the digest of parameters, in hexadecimal. */
    public static String of(Json params) {
        StringBuilder canonical = new StringBuilder();
        write(params.isPresent() ? params : Json.object(), canonical, true);
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256")
                            .digest(canonical.toString().getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    private static void write(Json value, StringBuilder out, boolean isParams) {
        switch (value.type()) {
            case OBJECT -> {
                out.append('{');
                int start = out.length();
                new TreeMap<>(value.members()).forEach((name, member) -> {
                    if (!isParams || !name.equals(META)) {
                        out.append(out.length() == start ? "" : ",");
                        writeText(name, out);
                        out.append(':');
                        write(member, out, false);
                    }
                });
                out.append('}');
            }
            case ARRAY -> {
                out.append('[');
                int start = out.length();
                value.elements().forEach(element -> {
                    out.append(out.length() == start ? "" : ",");
                    write(element, out, false);
                });
                out.append(']');
            }
            case TEXT -> writeText(value.text(), out);
            default -> out.append(value.raw().strip());
        }
    }

    private static void writeText(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char next = text.charAt(i);
            switch (next) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\b' -> out.append("\\b");
                case '\t' -> out.append("\\t");
                case '\n' -> out.append("\\n");
                case '\f' -> out.append("\\f");
                case '\r' -> out.append("\\r");
                default -> {
                    if (next < ' ') {
                        out.append("\\u00").append(HexFormat.of().toHexDigits((byte) next));
                    } else {
                        out.append(next);
                    }
                }
            }
        }
        out.append('"');
    }
}
