package dev.gavel.mcpx;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.io.JsonStringEncoder;
import tools.jackson.core.util.ByteArrayBuilder;

/** How an envelope's bytes become those its receivers get. */
final class Forwarding {
    private static final byte[] FROM = ascii("\"from\":\"");
    private static final byte[] TS = ascii("\"ts\":\"");
    private static final byte[] END_STRING = ascii("\",");

    private Forwarding() {}

    static byte[] encode(Envelope envelope, Spelling target, String from, Instant ts, @Nullable List<String> to) {
        Spans spans = envelope.spans();
        byte[] bytes = envelope.bytes();
        var splice = new Splice(bytes, envelope.offset(), envelope.length());
        if (envelope.from() == null || envelope.ts() == null || (to != null && spans.toStart < 0)) {
            splice.replace(spans.open + 1, spans.open + 1, stamp(envelope, from, ts, to));
        }
        if (target != spans.kindSpelling && envelope.kind().hadOldForm()) {
            splice.replace(
                    spans.kindStart, spans.kindEnd, quoted(envelope.kind().written(target)));
        }
        if (spans.correlationStart >= 0 && target != spans.correlationSpelling) {
            int end = stringEnd(bytes, spans.correlationStart);
            splice.replace(spans.correlationStart, end, quoted(target.correlationId()));
        }
        if (to != null && spans.toStart >= 0) {
            splice.replace(spans.toStart, spans.toEnd, array(to));
        }
        return splice.bytes();
    }

    /** Fields to stand first in the envelope, each with its comma: others always follow. */
    private static byte[] stamp(Envelope envelope, String from, Instant ts, @Nullable List<String> to) {
        var stamp = new ByteArrayBuilder(128);
        if (envelope.from() == null) {
            stamp.write(FROM);
            stamp.write(escaped(from));
            stamp.write(END_STRING);
        }
        if (envelope.ts() == null) {
            stamp.write(TS);
            stamp.write(Rfc3339.bytes(ts));
            stamp.write(END_STRING);
        }
        if (to != null && envelope.spans().toStart < 0) {
            stamp.write(ascii("\"to\":"));
            stamp.write(array(to));
            stamp.write(',');
        }
        return stamp.toByteArray();
    }

    private static byte[] array(List<String> strings) {
        var array = new ByteArrayBuilder(64);
        array.write('[');
        for (int i = 0; i < strings.size(); i++) {
            if (i > 0) {
                array.write(',');
            }
            array.write(quoted(strings.get(i)));
        }
        array.write(']');
        return array.toByteArray();
    }

    private static byte[] quoted(String text) {
        byte[] inside = escaped(text);
        byte[] whole = new byte[inside.length + 2];
        whole[0] = '"';
        System.arraycopy(inside, 0, whole, 1, inside.length);
        whole[whole.length - 1] = '"';
        return whole;
    }

    private static byte[] escaped(String text) {
        return JsonStringEncoder.getInstance().quoteAsUTF8(text);
    }

    /** The place after the closing quote of the string whose opening quote stands here. */
    private static int stringEnd(byte[] bytes, int quote) {
        int at = quote + 1;
        while (bytes[at] != '"') {
            at += bytes[at] == '\\' ? 2 : 1;
        }
        return at + 1;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
