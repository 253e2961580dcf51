package dev.gavel.mcpx;

import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/**
 * Parses and validates an envelope's payload once, and extracts the fields that the gateway's permission check and the
 * ledger need. Not thread-safe.
 */
final class PayloadParser {
    private static final Set<String> STATUSES = Set.of("considering", "queued", "processing", "unable");
    private static final Set<String> FORMATS = Set.of("plain", "markdown");

    private final JsonTokenReader json;
    private final KindCategory category;
    private final boolean checksParamNames;
    private @Nullable String method;
    private @Nullable String name;
    private @Nullable String uri;
    private @Nullable Duration ttl;
    private @Nullable String reason;
    private @Nullable String note;
    private @Nullable String status;
    private boolean hasText;
    private boolean failed;

    private PayloadParser(JsonTokenReader tokenReader, Kind kind, KindCategory category) {
        this.json = tokenReader;
        this.category = category;
        String kindMethod = kind.method();
        this.checksParamNames = kindMethod != null && ExtractedPayloadFields.contextField(kindMethod) != null;
    }

    /** Parses the object whose brace is the current token. */
    static ExtractedPayloadFields parse(
            JsonTokenReader tokenReader, Kind kind, KindCategory category, JsonToken brace) {
        if (category == KindCategory.OTHER || category == KindCategory.SYSTEM) {
            tokenReader.skipValue(brace);
            return ExtractedPayloadFields.NONE;
        }
        return new PayloadParser(tokenReader, kind, category).parseFields();
    }

    private ExtractedPayloadFields parseFields() {
        json.beginObject();
        for (String field = json.nextName(); field != null; field = json.nextName()) {
            JsonToken value = json.nextValue();
            switch (category) {
                case REQUEST, PROPOSAL -> parseCall(field, value);
                case RESPONSE -> parseResponse(field, value);
                case WITHDRAW, REJECT, STATUS -> parseRemark(field, value);
                case CHAT -> parseChat(field, value);
                case SYSTEM, OTHER -> json.skipValue(value);
            }
        }
        if (category == KindCategory.STATUS && status == null) {
            json.reportProblem("'payload.status' is missing: use considering, queued, processing or unable");
        }
        if (category == KindCategory.REJECT && reason == null) {
            reason = "unspecified";
        }
        if (category == KindCategory.CHAT && !hasText) {
            json.reportProblem("'payload.text' is missing: a chat message needs a text");
        }
        return new ExtractedPayloadFields(method, name, uri, ttl, reason, note, status, failed);
    }

    private void parseCall(String field, JsonToken value) {
        switch (field) {
            case "method" -> method = json.stringValue(value, "payload.method");
            case "params" -> parseParams(value);
            case "ttl" -> {
                if (category == KindCategory.PROPOSAL) {
                    parseTtl(value);
                } else {
                    json.skipValue(value);
                }
            }
            default -> {
                if (field.length() == 6) {
                    refuseCaseVariant(field, field.charAt(0) == 'm' || field.charAt(0) == 'M' ? "method" : "params");
                }
                json.skipValue(value);
            }
        }
    }

    /**
     * Refuses a name that differs from a checked one only in case. Some servers ignore case when they read JSON, so they
     * would run another call than the one that was checked. Stored envelopes have no limits and stay readable.
     */
    private void refuseCaseVariant(String field, String checkedName) {
        if (field.equalsIgnoreCase(checkedName) && !json.limits().equals(EnvelopeLimits.NONE)) {
            json.reportProblem("the name " + InputExcerptFormatter.quote(field) + " differs from '" + checkedName
                    + "' only in case, and some servers would confuse the two");
        }
    }

    private void parseParams(JsonToken value) {
        if (value != JsonToken.START_OBJECT) {
            json.reportProblem("'payload.params' must be an object");
            json.skipValue(value);
            return;
        }
        json.beginObject();
        for (String field = json.nextName(); field != null; field = json.nextName()) {
            JsonToken param = json.nextValue();
            // A name or URI that is not a string gives the kind no CONTEXT: then only a capability without a CONTEXT
            // pattern admits it.
            if (param == JsonToken.VALUE_STRING && field.equals("name")) {
                name = json.parser.getString();
            } else if (param == JsonToken.VALUE_STRING && field.equals("uri")) {
                uri = json.parser.getString();
            } else {
                if (checksParamNames) {
                    refuseCaseVariantOfParam(field);
                }
                json.skipValue(param);
            }
        }
    }

    private void refuseCaseVariantOfParam(String field) {
        String checkedName = switch (field.length()) {
            case 3 -> "uri";
            case 4 -> "name";
            case 5 -> "_meta";
            case 9 -> "arguments";
            default -> null;
        };
        if (checkedName != null && !field.equals(checkedName)) {
            refuseCaseVariant(field, checkedName);
        }
    }

    private void parseTtl(JsonToken value) {
        if (!value.isNumeric()) {
            json.reportProblem("'payload.ttl' must be a number of seconds above 0");
            json.skipValue(value);
            return;
        }
        // Not BigDecimal, which throws for exponents beyond its range; a double becomes infinite or zero instead.
        double seconds = Double.parseDouble(json.parser.getString());
        if (!(seconds > 0)) {
            json.reportProblem("'payload.ttl' must be a number of seconds above 0");
            return;
        }
        ttl = seconds >= ExtractedPayloadFields.MAX_TTL.toSeconds()
                ? ExtractedPayloadFields.MAX_TTL
                : Duration.ofNanos(Math.max(1, Math.round(seconds * 1e9)));
    }

    private void parseResponse(String field, JsonToken value) {
        if (field.equals("error")) {
            failed |= value != JsonToken.VALUE_NULL;
            json.skipValue(value);
        } else if (field.equals("result") && value == JsonToken.START_OBJECT) {
            json.beginObject();
            for (String part = json.nextName(); part != null; part = json.nextName()) {
                JsonToken of = json.nextValue();
                failed |= part.equals("isError") && of == JsonToken.VALUE_TRUE;
                json.skipValue(of);
            }
        } else {
            json.skipValue(value);
        }
    }

    private void parseRemark(String field, JsonToken value) {
        switch (field) {
            case "reason" -> reason = noteText(value, "payload.reason");
            case "note" -> note = noteText(value, "payload.note");
            case "status" -> {
                if (category == KindCategory.STATUS) {
                    status = json.stringValue(value, "payload.status");
                    if (status != null && !STATUSES.contains(status)) {
                        json.reportProblem("'payload.status' is " + InputExcerptFormatter.quote(status)
                                + ": use considering, queued, processing or unable");
                    }
                } else {
                    json.skipValue(value);
                }
            }
            default -> json.skipValue(value);
        }
    }

    /** Bounded, because the ledger stores it with every proposal to which the envelope refers. */
    private @Nullable String noteText(JsonToken value, String field) {
        String text = json.stringValue(value, field);
        if (text != null && text.length() > json.limits().noteLength()) {
            json.reportProblem("'" + field + "' is longer than " + json.limits().noteLength() + " characters");
        }
        return text;
    }

    private void parseChat(String field, JsonToken value) {
        switch (field) {
            case "text" -> {
                hasText = true;
                if (value != JsonToken.VALUE_STRING) {
                    json.reportProblem("'payload.text' must be a string");
                    json.skipValue(value);
                }
            }
            case "format" -> {
                String format = json.stringValue(value, "payload.format");
                if (format != null && !FORMATS.contains(format)) {
                    json.reportProblem(
                            "'payload.format' is " + InputExcerptFormatter.quote(format) + ": use plain or markdown");
                }
            }
            default -> json.skipValue(value);
        }
    }
}
