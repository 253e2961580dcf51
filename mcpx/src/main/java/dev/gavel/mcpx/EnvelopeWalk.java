package dev.gavel.mcpx;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** One reading of one envelope: what has been seen so far, and where. Not thread-safe. */
final class EnvelopeWalk {
    static final String PROTOCOL = "mcpx/v0.1";

    private final JsonParser parser;
    private final EnvelopeReader reader;
    private final Limits limits;
    private final byte[] bytes;
    private final int offset;
    private final int length;
    private final JsonWalk walk;
    private final Spans spans = new Spans();

    private @Nullable String protocol;
    private @Nullable String id;
    private boolean idGiven;
    private @Nullable String ts;
    private @Nullable String from;
    private List<String> to = List.of();
    private @Nullable Kind kind;
    private @Nullable KindRule rule;
    private List<String> correlationIds = List.of();
    private boolean correlationListed;
    private Spelling spelling = Spelling.CURRENT;
    private @Nullable PayloadFacts facts;

    EnvelopeWalk(JsonParser parser, EnvelopeReader reader, byte[] bytes, int offset, int length) {
        this.parser = parser;
        this.reader = reader;
        this.limits = reader.limits();
        this.bytes = bytes;
        this.offset = offset;
        this.length = length;
        this.walk = new JsonWalk(parser, limits);
    }

    Reading run() {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            return refuse(ErrorCode.MALFORMED, "An envelope is a JSON object: begin it with '{'.");
        }
        spans.open = tokenStart();
        walk.enter();
        for (String name = walk.nextName(); name != null; name = walk.nextName()) {
            field(name);
        }
        if (parser.nextToken() != null) {
            return refuse(ErrorCode.MALFORMED, "Something follows the envelope. Send one envelope at a time.");
        }
        if (protocol != null && !protocol.equals(PROTOCOL)) {
            return refuse(
                    ErrorCode.UNSUPPORTED_PROTOCOL,
                    "The protocol is " + Excerpt.of(protocol) + "; this gateway speaks \"" + PROTOCOL + "\" only.");
        }
        return complete();
    }

    /** A refusal that says as much of the envelope as is known by now. */
    Refusal refuse(ErrorCode code, String message) {
        return new Refusal(code, message, id, kind, spelling);
    }

    private void field(String name) {
        switch (name) {
            case "protocol" -> protocol = walk.string(walk.value(), name);
            case "id" -> {
                String text = id(walk.string(walk.value(), name), name);
                // An id that is given twice is no id to answer to.
                id = idGiven ? null : text;
                idGiven = true;
            }
            case "ts" -> ts();
            case "from" -> from = id(walk.string(walk.value(), name), name);
            case "to" -> to();
            case "kind" -> kind();
            case "correlationId" -> correlation(Spelling.CURRENT);
            case "correlation_id" -> correlation(Spelling.V0_1);
            case "payload" -> payload();
            default -> walk.skip(walk.value());
        }
    }

    private @Nullable String id(@Nullable String text, String name) {
        if (text == null || sound(text)) {
            return text;
        }
        walk.wrong("'" + name + "' must have 1 to " + Limits.ID_LENGTH + " characters");
        return null;
    }

    private static boolean sound(String id) {
        int units = id.length();
        if (units <= Limits.ID_LENGTH) {
            return units > 0;
        }
        return units <= 2 * Limits.ID_LENGTH && id.codePointCount(0, units) <= Limits.ID_LENGTH;
    }

    private void ts() {
        ts = walk.string(walk.value(), "ts");
        if (ts != null && !Rfc3339.valid(ts)) {
            walk.wrong("'ts' is " + Excerpt.of(ts) + ", not a time of RFC 3339 such as 2026-01-05T10:00:00Z");
        }
    }

    private void to() {
        JsonToken value = walk.value();
        spans.toStart = tokenStart();
        if (value != JsonToken.START_ARRAY) {
            walk.wrong("'to' must be an array of member ids");
            walk.skip(value);
            return;
        }
        to = strings("to", limits.recipients());
        for (String entry : to) {
            if (entry.length() > limits.kindLength() || entry.isEmpty()) {
                walk.wrong("a name in 'to' must have 1 to " + limits.kindLength() + " characters");
            } else if (entry.startsWith("can:")
                    && Recipient.parse(entry) instanceof Parsed.Invalid<Recipient>(String problem)) {
                walk.wrong("in 'to', " + problem);
            }
        }
        spans.toEnd = tokenEnd();
    }

    /** The strings of the array that has just begun. */
    private List<String> strings(String field, int most) {
        JsonToken first = parser.nextToken();
        if (first == JsonToken.END_ARRAY) {
            return List.of();
        }
        var strings = new ArrayList<String>(4);
        for (JsonToken item = first; item != JsonToken.END_ARRAY; item = parser.nextToken()) {
            if (item != JsonToken.VALUE_STRING) {
                walk.wrong("'" + field + "' must hold strings only");
                walk.skip(item);
            } else if (strings.size() == most) {
                walk.wrong("'" + field + "' has more than " + most + " entries");
            } else {
                strings.add(parser.getString());
            }
        }
        return List.copyOf(strings);
    }

    private void kind() {
        JsonToken value = walk.value();
        spans.kindStart = tokenStart();
        String text = walk.string(value, "kind");
        spans.kindEnd = tokenEnd();
        if (text == null) {
            return;
        }
        if (text.length() > limits.kindLength()) {
            walk.wrong("'kind' is longer than " + limits.kindLength() + " characters");
            return;
        }
        switch (reader.kinds().parse(text)) {
            case Parsed.Invalid<KnownKinds.Known>(String problem) -> walk.wrong(problem);
            case Parsed.Valid<KnownKinds.Known>(KnownKinds.Known known) -> {
                kind = known.kind();
                rule = known.rule();
                spans.kindSpelling = known.spelling();
                if (known.spelling() == Spelling.V0_1) {
                    spelling = Spelling.V0_1;
                }
                if (known.problem() != null) {
                    walk.wrong(known.problem());
                }
            }
        }
    }

    private void correlation(Spelling written) {
        int start = tokenStart();
        JsonToken value = walk.value();
        if (spans.correlationStart >= 0) {
            walk.wrong("'correlationId' is there in both its spellings: leave one out");
        }
        spans.correlationStart = start;
        spans.correlationSpelling = written;
        if (written == Spelling.V0_1) {
            spelling = Spelling.V0_1;
        }
        correlationListed = value == JsonToken.START_ARRAY;
        if (value == JsonToken.VALUE_STRING) {
            correlationIds = List.of(parser.getString());
        } else if (correlationListed) {
            correlationIds = strings(written.correlationId(), limits.correlationIds());
        } else {
            walk.wrong("'" + written.correlationId() + "' must be a string or an array of strings");
            walk.skip(value);
        }
        for (String each : correlationIds) {
            if (id(each, written.correlationId()) == null) {
                break;
            }
        }
    }

    private void payload() {
        JsonToken value = walk.value();
        spans.payloadStart = tokenStart();
        if (value != JsonToken.START_OBJECT) {
            walk.wrong("'payload' must be an object");
            walk.skip(value);
        } else if (rule == null) {
            // What to look for depends on the kind, which is still to come.
            walk.skip(value);
        } else {
            facts = PayloadWalk.read(walk, rule, value);
        }
        spans.payloadEnd = tokenEnd();
    }

    private Reading complete() {
        String missing = missing();
        if (missing != null) {
            walk.wrong("'" + missing + "' is missing");
        }
        if (rule != null) {
            checkCorrelation(rule.correlation());
        }
        Payload payload = new Payload(bytes, spans.payloadStart, spans.payloadEnd - spans.payloadStart);
        if (walk.problem() == null && facts == null && rule != null) {
            facts = reader.readAgain(payload, rule, walk);
        }
        String problem = walk.problem();
        if (problem != null || id == null || kind == null || rule == null || facts == null) {
            return refuse(ErrorCode.MALFORMED, "The envelope is malformed: " + problem + ".");
        }
        String context = facts.context(kind.method());
        if (context != null && context.length() > limits.kindLength()) {
            return refuse(
                    ErrorCode.MALFORMED,
                    "The envelope is malformed: what the call is about has more than " + limits.kindLength()
                            + " characters.");
        }
        return new Envelope(
                id, ts, from, to, kind, rule, correlationIds, spelling, payload, facts, bytes, offset, length, spans);
    }

    private @Nullable String missing() {
        if (protocol == null) {
            return "protocol";
        }
        if (id == null) {
            return "id";
        }
        if (kind == null) {
            return "kind";
        }
        return spans.payloadStart < 0 ? "payload" : null;
    }

    private void checkCorrelation(KindRule.Correlation expected) {
        int count = correlationIds.size();
        switch (expected) {
            case NONE -> {
                if (spans.correlationStart >= 0) {
                    walk.wrong("a proposal begins something, so it takes no 'correlationId'");
                }
            }
            case ONE_OR_NONE, ONE -> {
                if (correlationListed) {
                    walk.wrong("'correlationId' must be a string here: " + kind + " refers to one envelope");
                } else if (count == 0 && expected == KindRule.Correlation.ONE) {
                    walk.wrong("'correlationId' is missing: a response names the request it answers");
                }
            }
            case ONE_OR_MORE -> {
                if (count == 0) {
                    walk.wrong("'correlationId' is missing: " + kind + " names the proposals it is about");
                }
            }
            case ANY -> {}
        }
    }

    private int tokenStart() {
        return offset + (int) parser.currentTokenLocation().getByteOffset();
    }

    private int tokenEnd() {
        return offset + (int) parser.currentLocation().getByteOffset();
    }
}
