package dev.gavel.mcpx;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Parses one envelope for the {@link EnvelopeReader}, in a single pass over its JSON tokens, and records the byte
 * offsets of its fields. Not thread-safe.
 */
final class EnvelopeTokenParser {
    static final String PROTOCOL = "mcpx/v0.1";

    private final JsonParser parser;
    private final EnvelopeReader reader;
    private final EnvelopeLimits limits;
    private final byte[] bytes;
    private final int offset;
    private final int length;
    private final JsonTokenReader json;
    private final EnvelopeOffsets fieldOffsets = new EnvelopeOffsets();

    private @Nullable String protocol;
    private @Nullable String id;
    private boolean idGiven;
    private @Nullable String ts;
    private @Nullable String from;
    private List<String> to = List.of();
    private @Nullable Kind kind;
    private @Nullable KindCategory category;
    private List<String> correlationIds = List.of();
    private boolean correlationIsArray;
    private EnvelopeSyntax syntax = EnvelopeSyntax.CURRENT;
    private @Nullable ExtractedPayloadFields payloadFields;
    private List<String> definitionDigests = List.of();
    private boolean unchecked;

    EnvelopeTokenParser(JsonParser parser, EnvelopeReader reader, byte[] bytes, int offset, int length) {
        this.parser = parser;
        this.reader = reader;
        this.limits = reader.limits();
        this.bytes = bytes;
        this.offset = offset;
        this.length = length;
        this.json = new JsonTokenReader(parser, limits);
    }

    EnvelopeReadResult parse() {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            return refuse(EnvelopeErrorCode.MALFORMED, "An envelope must be a JSON object. Begin it with '{'.");
        }
        fieldOffsets.openingBrace = tokenStart();
        json.beginObject();
        for (String name = json.nextName(); name != null; name = json.nextName()) {
            parseField(name);
        }
        if (parser.nextToken() != null) {
            return refuse(
                    EnvelopeErrorCode.MALFORMED,
                    "There is extra data after the envelope. Send one envelope at a time.");
        }
        if (protocol != null && !protocol.equals(PROTOCOL)) {
            return refuse(
                    EnvelopeErrorCode.UNSUPPORTED_PROTOCOL,
                    "The protocol is " + InputExcerptFormatter.quote(protocol) + ", but this gateway supports only \""
                            + PROTOCOL + "\".");
        }
        return complete();
    }

    /** Returns a refusal with the id, kind and syntax as far as they are known so far. */
    EnvelopeRefusal refuse(EnvelopeErrorCode code, String message) {
        return new EnvelopeRefusal(code, message, id, kind, syntax);
    }

    private void parseField(String name) {
        switch (name) {
            case "protocol" -> protocol = json.stringValue(json.nextValue(), name);
            case "id" -> {
                String text = validateId(json.stringValue(json.nextValue(), name), name);
                // If the sender gives two ids, an answer could not refer to either.
                id = idGiven ? null : text;
                idGiven = true;
            }
            case "ts" -> parseTs();
            case "from" -> from = validateId(json.stringValue(json.nextValue(), name), name);
            case "to" -> parseTo();
            case "kind" -> parseKind();
            case "correlationId" -> parseCorrelation(EnvelopeSyntax.CURRENT);
            case "correlation_id" -> parseCorrelation(EnvelopeSyntax.LEGACY);
            case "payload" -> parsePayload();
            case "definition" -> parseDefinition();
            case "unchecked" -> parseUnchecked();
            default -> json.skipValue(json.nextValue());
        }
    }

    private @Nullable String validateId(@Nullable String text, String name) {
        if (text == null || isValidId(text)) {
            return text;
        }
        json.reportProblem("'" + name + "' must have 1 to " + EnvelopeLimits.ID_LENGTH + " characters");
        return null;
    }

    private static boolean isValidId(String id) {
        int units = id.length();
        if (units <= EnvelopeLimits.ID_LENGTH) {
            return units > 0;
        }
        return units <= 2 * EnvelopeLimits.ID_LENGTH && id.codePointCount(0, units) <= EnvelopeLimits.ID_LENGTH;
    }

    private void parseTs() {
        ts = json.stringValue(json.nextValue(), "ts");
        if (ts != null && !Rfc3339Format.isValid(ts)) {
            json.reportProblem("'ts' is " + InputExcerptFormatter.quote(ts)
                    + ", not an RFC 3339 time such as 2026-01-05T10:00:00Z");
        }
    }

    private void parseTo() {
        JsonToken value = json.nextValue();
        fieldOffsets.toStart = tokenStart();
        if (value != JsonToken.START_ARRAY) {
            json.reportProblem("'to' must be an array of member ids");
            json.skipValue(value);
            return;
        }
        to = readStrings("to", limits.recipients());
        for (String entry : to) {
            if (entry.length() > limits.kindLength() || entry.isEmpty()) {
                json.reportProblem("a name in 'to' must have 1 to " + limits.kindLength() + " characters");
            } else if (entry.startsWith("can:")
                    && Recipient.parse(entry) instanceof ValueParseResult.Invalid<Recipient>(String problem)) {
                json.reportProblem("in 'to', " + problem);
            }
        }
        fieldOffsets.toEnd = tokenEnd();
    }

    /** Reads the strings of the array whose bracket is the current token. */
    private List<String> readStrings(String field, int maxCount) {
        JsonToken first = parser.nextToken();
        if (first == JsonToken.END_ARRAY) {
            return List.of();
        }
        var strings = new ArrayList<String>(4);
        for (JsonToken item = first; item != JsonToken.END_ARRAY; item = parser.nextToken()) {
            if (item != JsonToken.VALUE_STRING) {
                json.reportProblem("'" + field + "' must hold strings only");
                json.skipValue(item);
            } else if (strings.size() == maxCount) {
                json.reportProblem("'" + field + "' has more than " + maxCount + " entries");
            } else {
                strings.add(parser.getString());
            }
        }
        return List.copyOf(strings);
    }

    private void parseKind() {
        JsonToken value = json.nextValue();
        fieldOffsets.kindStart = tokenStart();
        String text = json.stringValue(value, "kind");
        fieldOffsets.kindEnd = tokenEnd();
        if (text == null) {
            return;
        }
        if (text.length() > limits.kindLength()) {
            json.reportProblem("'kind' is longer than " + limits.kindLength() + " characters");
            return;
        }
        switch (reader.kindCache().parse(text)) {
            case ValueParseResult.Invalid<KindCache.CachedKind>(String problem) -> json.reportProblem(problem);
            case ValueParseResult.Valid<KindCache.CachedKind>(KindCache.CachedKind cachedKind) -> {
                kind = cachedKind.kind();
                category = cachedKind.category();
                fieldOffsets.kindSyntax = cachedKind.syntax();
                if (cachedKind.syntax() == EnvelopeSyntax.LEGACY) {
                    syntax = EnvelopeSyntax.LEGACY;
                }
                if (cachedKind.problem() != null) {
                    json.reportProblem(cachedKind.problem());
                }
            }
        }
    }

    private void parseCorrelation(EnvelopeSyntax fieldSyntax) {
        int start = tokenStart();
        JsonToken value = json.nextValue();
        if (fieldOffsets.correlationStart >= 0) {
            json.reportProblem("'correlationId' and 'correlation_id' are both present: leave one out");
        }
        fieldOffsets.correlationStart = start;
        fieldOffsets.correlationSyntax = fieldSyntax;
        if (fieldSyntax == EnvelopeSyntax.LEGACY) {
            syntax = EnvelopeSyntax.LEGACY;
        }
        correlationIsArray = value == JsonToken.START_ARRAY;
        if (value == JsonToken.VALUE_STRING) {
            correlationIds = List.of(parser.getString());
        } else if (correlationIsArray) {
            correlationIds = readStrings(fieldSyntax.correlationIdField(), limits.correlationIds());
        } else {
            json.reportProblem("'" + fieldSyntax.correlationIdField() + "' must be a string or an array of strings");
            json.skipValue(value);
        }
        for (String each : correlationIds) {
            if (validateId(each, fieldSyntax.correlationIdField()) == null) {
                break;
            }
        }
    }

    /** Reads the digests of the tool definitions that an approval is for. */
    private void parseDefinition() {
        JsonToken value = json.nextValue();
        if (value == JsonToken.VALUE_STRING) {
            definitionDigests = List.of(parser.getString());
        } else if (value == JsonToken.START_ARRAY) {
            definitionDigests = readDigests();
            if (definitionDigests.isEmpty()) {
                reportReviewFieldProblem(
                        "'definition' is an empty array: name a definition, or leave 'definition' out");
            }
        } else {
            reportReviewFieldProblem("'definition' must be a string or an array of strings");
            json.skipValue(value);
        }
        if (!definitionDigests.stream().allMatch(EnvelopeTokenParser::isValidId)) {
            reportReviewFieldProblem("'definition' must have 1 to " + EnvelopeLimits.ID_LENGTH + " characters");
        }
    }

    private List<String> readDigests() {
        List<String> digests = new ArrayList<>();
        for (JsonToken item = parser.nextToken(); item != JsonToken.END_ARRAY; item = parser.nextToken()) {
            if (item != JsonToken.VALUE_STRING || digests.size() == limits.recipients()) {
                reportReviewFieldProblem("'definition' must hold at most " + limits.recipients() + " strings");
                json.skipValue(item);
            } else {
                digests.add(parser.getString());
            }
        }
        return List.copyOf(digests);
    }

    /** Stored envelopes have no limits. Earlier versions stored them with these fields unread, whatever their type. */
    private void reportReviewFieldProblem(String problem) {
        if (!limits.equals(EnvelopeLimits.NONE)) {
            json.reportProblem(problem);
        }
    }

    private void parseUnchecked() {
        JsonToken value = json.nextValue();
        if (value == JsonToken.VALUE_TRUE || value == JsonToken.VALUE_FALSE) {
            unchecked = value == JsonToken.VALUE_TRUE;
        } else {
            reportReviewFieldProblem("'unchecked' must be true or false");
            json.skipValue(value);
        }
    }

    private void parsePayload() {
        JsonToken value = json.nextValue();
        fieldOffsets.payloadStart = tokenStart();
        if (value != JsonToken.START_OBJECT) {
            json.reportProblem("'payload' must be an object");
            json.skipValue(value);
        } else if (kind == null || category == null) {
            // Which fields to extract depends on the kind, which follows later in the text.
            json.skipValue(value);
        } else {
            payloadFields = PayloadParser.parse(json, kind, category, value);
        }
        fieldOffsets.payloadEnd = tokenEnd();
    }

    private EnvelopeReadResult complete() {
        String missing = findMissingField();
        if (missing != null) {
            json.reportProblem("'" + missing + "' is missing");
        }
        if (category != null) {
            checkCorrelation(category.correlation());
        }
        RawPayload payload =
                new RawPayload(bytes, fieldOffsets.payloadStart, fieldOffsets.payloadEnd - fieldOffsets.payloadStart);
        if (json.firstProblem() == null && payloadFields == null && kind != null && category != null) {
            payloadFields = reader.rereadPayload(payload, kind, category, json);
        }
        String problem = json.firstProblem();
        if (problem != null || id == null || kind == null || category == null || payloadFields == null) {
            return refuse(EnvelopeErrorCode.MALFORMED, "The envelope is malformed: " + problem + ".");
        }
        String context = payloadFields.context(kind.method());
        if (context != null && context.length() > limits.kindLength()) {
            return refuse(
                    EnvelopeErrorCode.MALFORMED,
                    "The envelope is malformed: the target of the call has more than " + limits.kindLength()
                            + " characters.");
        }
        return new Envelope(
                id,
                ts,
                from,
                to,
                kind,
                category,
                correlationIds,
                syntax,
                payload,
                payloadFields,
                definitionDigests,
                unchecked,
                json.isRedactionMarkerNamed(),
                bytes,
                offset,
                length,
                fieldOffsets);
    }

    private @Nullable String findMissingField() {
        if (protocol == null) {
            return "protocol";
        }
        if (id == null) {
            return "id";
        }
        if (kind == null) {
            return "kind";
        }
        return fieldOffsets.payloadStart < 0 ? "payload" : null;
    }

    private void checkCorrelation(KindCategory.Correlation expected) {
        int count = correlationIds.size();
        switch (expected) {
            case NONE -> {
                if (fieldOffsets.correlationStart >= 0) {
                    json.reportProblem("a proposal takes no 'correlationId'");
                }
            }
            case ONE_OR_NONE, ONE -> {
                if (correlationIsArray) {
                    json.reportProblem("'correlationId' must be a string here: " + kind + " refers to one envelope");
                } else if (count == 0 && expected == KindCategory.Correlation.ONE) {
                    json.reportProblem("'correlationId' is missing: a response names the request it answers");
                }
            }
            case ONE_OR_MORE -> {
                if (count == 0) {
                    json.reportProblem("'correlationId' is missing: " + kind + " names the proposals that it concerns");
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
