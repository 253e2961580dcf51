package dev.gavel.mcpx;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Test fixture: builds and reads envelopes from short texts with single quotes for double ones. */
final class EnvelopeFixtures {
    private static final EnvelopeReader READER = new EnvelopeReader(EnvelopeLimits.DEFAULT);

    private EnvelopeFixtures() {}

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    static String json(String text) {
        return text.replace('\'', '"');
    }

    static EnvelopeReadResult read(String text) {
        return READER.read(bytes(json(text)));
    }

    /** An envelope of that kind with that payload and further fields, each preceded by its comma. */
    static String envelope(String kind, String payload, String more) {
        return json("{'protocol':'mcpx/v0.1','id':'e-1','kind':'" + kind + "','payload':" + payload + more + "}");
    }

    static Envelope readAccepted(String text) {
        EnvelopeReadResult envelopeReadResult = read(text);
        if (envelopeReadResult instanceof Envelope envelope) {
            return envelope;
        }
        throw new AssertionError("refused: " + envelopeReadResult + " of " + text);
    }

    static EnvelopeRefusal readRefused(String text) {
        EnvelopeReadResult envelopeReadResult = read(text);
        if (envelopeReadResult instanceof EnvelopeRefusal refusal) {
            return refusal;
        }
        throw new AssertionError("accepted: " + text);
    }

    static Envelope call(String kind, String method, String params) {
        return readAccepted(envelope(kind, "{'method':'" + method + "','params':" + params + "}", ""));
    }

    static CapabilitySet capabilities(String json) {
        return CapabilitySet.fromJson(bytes(json(json))).orThrow();
    }

    static boolean containsMatch(String message, String regex) {
        return Pattern.compile(regex).matcher(message).find();
    }
}
