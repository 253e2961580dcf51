package dev.gavel.mcpx;

import static dev.gavel.mcpx.EnvelopeFixtures.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;

/** Property tests of envelopes with random field order, whitespace and escapes. */
class EnvelopePropertiesTest {
    private static final Instant NOW = Instant.parse("2026-01-05T10:00:00Z");
    private final EnvelopeReader reader = new EnvelopeReader(EnvelopeLimits.DEFAULT);

    @Property(tries = 2000)
    void forwardingChangesOnlyWhatItMust(@ForAll long seed, @ForAll EnvelopeSyntax target) {
        var written = new RandomEnvelope(new Random(seed));
        byte[] original = bytes(written.text());
        byte[] padded = bytes("##" + written.text() + "##");
        Envelope envelope = (Envelope) reader.read(padded, 2, original.length);
        assertThat(envelope.payload().toBytes()).isEqualTo(bytes(written.payload()));

        byte[] forwarded = envelope.encode(target, "sender", NOW);
        Map<String, Object> expected = new LinkedHashMap<>(object(original));
        expected.putIfAbsent("from", "sender");
        expected.putIfAbsent("ts", "2026-01-05T10:00:00.000Z");
        expected.put("kind", envelope.kind().format(target));
        Object correlation = expected.remove("correlationId");
        Object old = expected.remove("correlation_id");
        if (correlation != null || old != null) {
            expected.put(target.correlationIdField(), correlation != null ? correlation : old);
        }
        assertThat(object(forwarded)).isEqualTo(expected);

        Envelope again = (Envelope) reader.read(forwarded);
        assertThat(again.payload()).isEqualTo(envelope.payload());
        assertThat(again.id()).isEqualTo(envelope.id());
        assertThat(again.kind()).isEqualTo(envelope.kind());
        assertThat(again.to()).isEqualTo(envelope.to());
        assertThat(again.correlationIds()).isEqualTo(envelope.correlationIds());
        assertThat(again.payloadFields()).isEqualTo(envelope.payloadFields());
        assertThat(again.kindWithContext()).isEqualTo(envelope.kindWithContext());
        // After conversion and stamping, nothing is left to change.
        assertThat(again.encode(target, "other", NOW.plusSeconds(1))).isSameAs(forwarded);
    }

    @Property(tries = 500)
    void newRecipientsReplaceTheOldAndNothingElse(@ForAll long seed) {
        var written = new RandomEnvelope(new Random(seed));
        Envelope envelope = (Envelope) reader.read(bytes(written.text()));
        Map<String, Object> expected = new LinkedHashMap<>(object(envelope.encode(EnvelopeSyntax.CURRENT, "s", NOW)));
        expected.put("to", List.of("a", "b\"c"));
        assertThat(object(envelope.encode(EnvelopeSyntax.CURRENT, "s", NOW, List.of("a", "b\"c"))))
                .isEqualTo(expected);
    }

    @SuppressWarnings("unchecked") // ReferenceJsonParser returns objects as maps of names.
    private static Map<String, Object> object(byte[] bytes) {
        @Nullable Object value = ReferenceJsonParser.read(bytes);
        assertThat(value).isInstanceOf(Map.class);
        return (Map<String, Object>) Objects.requireNonNull(value);
    }

    /** A random envelope as a client might write it. */
    static final class RandomEnvelope {
        private final Random random;
        private final String payload;
        private final String text;

        RandomEnvelope(Random random) {
            this.random = random;
            String[][] kinds = {
                {"mcp.request.tools/call", "{%s\"method\":\"tools/call\",\"params\":{\"name\":\"x:y\",%s}}", "?"},
                {"mcp/request:tools/call:x:y", "{%s\"params\":{%s,\"name\":\"x:y\"},\"method\":\"tools/call\"}", "?"},
                {"mcp.response.resources/read:u", "{%s\"result\":{%s}}", "1"},
                {"mcp/response:tools/list", "{%s\"error\":{%s}}", "1"},
                {"mcp/proposal:tools/call", "{%s\"method\":\"tools/call\",\"ttl\":5,\"params\":{%s}}", "0"},
                {"mcpx.reject.proposal", "{%s\"reason\":\"busy\",\"z\":{%s}}", "+"},
                {"mcpx.status.proposal", "{%s\"status\":\"queued\",\"z\":{%s}}", "+"},
                {"chat", "{%s\"text\":\"hi\",\"z\":{%s}}", "?"},
                {"chat.message", "{%s\"text\":\"hi\",\"z\":{%s}}", "?"},
                {"x.y", "{%s\"z\":{%s}}", "+"},
            };
            String[] kind = kinds[random.nextInt(kinds.length)];
            payload = kind[1].formatted("\"w\":" + value(2) + ",", "\"v\":" + value(2));
            var fields = new ArrayList<String>(List.of(
                    field("protocol", "\"mcpx/v0.1\""),
                    field("id", string()),
                    field("kind", escaped(kind[0])),
                    "\"payload\"" + space() + ":" + space() + payload));
            if (random.nextBoolean()) {
                fields.add(field("from", "\"sender\""));
            }
            if (random.nextBoolean()) {
                fields.add(field("ts", "\"2026-01-05T10:00:00+01:00\""));
            }
            if (random.nextBoolean()) {
                fields.add(field("to", random.nextBoolean() ? "[]" : "[" + space() + string() + " , \"can:chat\"]"));
            }
            for (int i = random.nextInt(3); i > 0; i--) {
                fields.add(field("extra-" + i, value(3)));
            }
            correlation(kind[2], fields);
            Collections.shuffle(fields, random);
            text = space() + "{" + space() + String.join(space() + "," + space(), fields) + space() + "}" + space();
        }

        private void correlation(String rule, List<String> fields) {
            String name = random.nextBoolean() ? "correlationId" : "correlation_id";
            if (rule.equals("+") && random.nextBoolean()) {
                fields.add(field(name, "[" + string() + "," + string() + "]"));
            } else if (!rule.equals("0") && (!rule.equals("?") || random.nextBoolean())) {
                fields.add(field(name, string()));
            }
        }

        String payload() {
            return payload;
        }

        String text() {
            return text;
        }

        private String field(String name, String value) {
            return escaped(name) + space() + ":" + space() + value;
        }

        private String space() {
            return random.nextInt(3) > 0 ? "" : new String[] {" ", "\n", "\t", "\r\n  "}[random.nextInt(4)];
        }

        private String escaped(String text) {
            var written = new StringBuilder("\"");
            text.chars()
                    .forEach(c -> written.append(
                            random.nextInt(20) == 0 ? "\\u%04x".formatted(c) : String.valueOf((char) c)));
            return written.append('"').toString();
        }

        private String string() {
            String[] pieces = {
                "a",
                "Z",
                "é",
                "😀",
                "\\n",
                "\\\"",
                "\\\\",
                "\\/",
                "\\u00e9",
                "\\ud83d\\ude00",
                "{",
                "}",
                "[",
                ":",
                ",",
                "'",
                "correlationId"
            };
            var written = new StringBuilder("\"x");
            for (int i = random.nextInt(6); i > 0; i--) {
                written.append(pieces[random.nextInt(pieces.length)]);
            }
            return written.append('"').toString();
        }

        private String value(int depth) {
            return switch (random.nextInt(depth == 0 ? 3 : 5)) {
                case 0 -> string();
                case 1 -> new String[] {"0", "-1.50", "1e5", "12345678901234567890"}[random.nextInt(4)];
                case 2 -> new String[] {"true", "false", "null"}[random.nextInt(3)];
                case 3 -> "[" + space() + value(depth - 1) + space() + "," + value(depth - 1) + "]";
                default ->
                    "{" + field("kind", value(depth - 1)) + "," + space() + field("payload", value(depth - 1)) + "}";
            };
        }
    }
}
