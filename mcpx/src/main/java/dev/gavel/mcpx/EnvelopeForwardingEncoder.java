package dev.gavel.mcpx;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.io.JsonStringEncoder;
import tools.jackson.core.util.ByteArrayBuilder;

/**
 * Encodes a received envelope for forwarding: fills in sender, time and recipients, converts the syntax version if
 * needed, and keeps all other bytes.
 */
final class EnvelopeForwardingEncoder {
    private static final byte[] FROM = ascii("\"from\":\"");
    private static final byte[] TS = ascii("\"ts\":\"");
    private static final byte[] TO = ascii("\"to\":");
    private static final byte[] END_STRING = ascii("\",");
    private static final byte[] END_ARRAY = ascii(",");

    private EnvelopeForwardingEncoder() {}

    static byte[] encode(Envelope envelope, EnvelopeSyntax target, String from, Instant ts, @Nullable List<String> to) {
        EnvelopeOffsets envelopeOffsets = envelope.fieldOffsets();
        byte[] bytes = envelope.bytes();
        var byteSplicer = new ByteSplicer(bytes, envelope.offset(), envelope.length());
        if (envelope.from() == null || envelope.ts() == null || (to != null && envelopeOffsets.toStart < 0)) {
            byteSplicer.replace(
                    envelopeOffsets.openingBrace + 1,
                    envelopeOffsets.openingBrace + 1,
                    stampedFields(envelope, from, ts, to));
        }
        if (target != envelopeOffsets.kindSyntax && envelope.kind().hasLegacyForm()) {
            byteSplicer.replace(
                    envelopeOffsets.kindStart,
                    envelopeOffsets.kindEnd,
                    quotedString(envelope.kind().format(target)));
        }
        if (envelopeOffsets.correlationStart >= 0 && target != envelopeOffsets.correlationSyntax) {
            int end = nameEnd(bytes, envelopeOffsets.correlationStart);
            byteSplicer.replace(envelopeOffsets.correlationStart, end, quotedString(target.correlationIdField()));
        }
        if (to != null && envelopeOffsets.toStart >= 0) {
            byteSplicer.replace(envelopeOffsets.toStart, envelopeOffsets.toEnd, array(to));
        }
        return byteSplicer.toBytes();
    }

    /**
     * The fields to insert at the start of the envelope, each followed by a comma, because other fields always follow.
     */
    private static byte[] stampedFields(Envelope envelope, String from, Instant ts, @Nullable List<String> to) {
        byte[] sender = envelope.from() == null ? escapedText(from) : null;
        byte[] time = envelope.ts() == null ? Rfc3339Format.format(ts) : null;
        byte[] recipients = to != null && envelope.fieldOffsets().toStart < 0 ? array(to) : null;
        byte[] stamp = new byte
                [length(FROM, sender, END_STRING) + length(TS, time, END_STRING) + length(TO, recipients, END_ARRAY)];
        int at = copyField(stamp, 0, FROM, sender, END_STRING);
        at = copyField(stamp, at, TS, time, END_STRING);
        copyField(stamp, at, TO, recipients, END_ARRAY);
        return stamp;
    }

    private static int length(byte[] before, byte @Nullable [] value, byte[] after) {
        return value == null ? 0 : before.length + value.length + after.length;
    }

    private static int copyField(byte[] stamp, int at, byte[] before, byte @Nullable [] value, byte[] after) {
        if (value == null) {
            return at;
        }
        System.arraycopy(before, 0, stamp, at, before.length);
        System.arraycopy(value, 0, stamp, at + before.length, value.length);
        System.arraycopy(after, 0, stamp, at + before.length + value.length, after.length);
        return at + before.length + value.length + after.length;
    }

    private static byte[] array(List<String> strings) {
        var array = new ByteArrayBuilder(64);
        array.write('[');
        for (int i = 0; i < strings.size(); i++) {
            if (i > 0) {
                array.write(',');
            }
            array.write(quotedString(strings.get(i)));
        }
        array.write(']');
        return array.toByteArray();
    }

    private static byte[] quotedString(String text) {
        byte[] inside = escapedText(text);
        byte[] whole = new byte[inside.length + 2];
        whole[0] = '"';
        System.arraycopy(inside, 0, whole, 1, inside.length);
        whole[whole.length - 1] = '"';
        return whole;
    }

    private static byte[] escapedText(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~' || c == '"' || c == '\\') {
                return JsonStringEncoder.getInstance().quoteAsUTF8(text);
            }
        }
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /**
     * Returns the offset after the closing quote of the name that opens at this quote; such a name never contains a
     * quote.
     */
    private static int nameEnd(byte[] bytes, int quote) {
        int at = quote + 1;
        while (bytes[at] != '"') {
            at++;
        }
        return at + 1;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
