package dev.gavel.mcpx;

import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/** Goes through a payload once, checks what its kind asks of it, and keeps what is needed later. Not thread-safe. */
final class PayloadWalk {
    private static final Set<String> STATUSES = Set.of("considering", "queued", "processing", "unable");
    private static final Set<String> FORMATS = Set.of("plain", "markdown");

    private final JsonWalk walk;
    private final KindRule rule;
    private @Nullable String method;
    private @Nullable String name;
    private @Nullable String uri;
    private @Nullable Duration ttl;
    private @Nullable String reason;
    private @Nullable String note;
    private @Nullable String status;
    private boolean text;
    private boolean failed;

    private PayloadWalk(JsonWalk walk, KindRule rule) {
        this.walk = walk;
        this.rule = rule;
    }

    /** Reads the object whose brace is the current token. */
    static PayloadFacts read(JsonWalk walk, KindRule rule, JsonToken brace) {
        if (rule == KindRule.OTHER || rule == KindRule.SYSTEM) {
            walk.skip(brace);
            return PayloadFacts.NONE;
        }
        return new PayloadWalk(walk, rule).run();
    }

    private PayloadFacts run() {
        walk.enter();
        for (String field = walk.nextName(); field != null; field = walk.nextName()) {
            JsonToken value = walk.value();
            switch (rule) {
                case REQUEST, PROPOSAL -> call(field, value);
                case RESPONSE -> response(field, value);
                case WITHDRAW, REJECT, STATUS -> remark(field, value);
                case CHAT -> chat(field, value);
                case SYSTEM, OTHER -> walk.skip(value);
            }
        }
        if (rule == KindRule.STATUS && status == null) {
            walk.wrong("'payload.status' is missing: say considering, queued, processing or unable");
        }
        if (rule == KindRule.REJECT && reason == null) {
            reason = "unspecified";
        }
        if (rule == KindRule.CHAT && !text) {
            walk.wrong("'payload.text' is missing: it is what a chat message says");
        }
        return new PayloadFacts(method, name, uri, ttl, reason, note, status, failed);
    }

    private void call(String field, JsonToken value) {
        switch (field) {
            case "method" -> method = walk.string(value, "payload.method");
            case "params" -> params(value);
            case "ttl" -> {
                if (rule == KindRule.PROPOSAL) {
                    ttl(value);
                } else {
                    walk.skip(value);
                }
            }
            default -> walk.skip(value);
        }
    }

    private void params(JsonToken value) {
        if (value != JsonToken.START_OBJECT) {
            walk.wrong("'payload.params' must be an object");
            walk.skip(value);
            return;
        }
        walk.enter();
        for (String field = walk.nextName(); field != null; field = walk.nextName()) {
            JsonToken param = walk.value();
            // A name or URI that is no string gives the kind no context: then only a capability for all of them admits.
            if (param == JsonToken.VALUE_STRING && field.equals("name")) {
                name = walk.parser.getString();
            } else if (param == JsonToken.VALUE_STRING && field.equals("uri")) {
                uri = walk.parser.getString();
            } else {
                walk.skip(param);
            }
        }
    }

    private void ttl(JsonToken value) {
        if (!value.isNumeric()) {
            walk.wrong("'payload.ttl' must be a number of seconds above 0");
            walk.skip(value);
            return;
        }
        // Not BigDecimal, which throws at exponents beyond its own range; a double is then infinite or zero.
        double seconds = Double.parseDouble(walk.parser.getString());
        if (!(seconds > 0)) {
            walk.wrong("'payload.ttl' must be a number of seconds above 0");
            return;
        }
        ttl = seconds >= PayloadFacts.LONGEST_TTL.toSeconds()
                ? PayloadFacts.LONGEST_TTL
                : Duration.ofNanos(Math.max(1, Math.round(seconds * 1e9)));
    }

    private void response(String field, JsonToken value) {
        if (field.equals("error")) {
            failed |= value != JsonToken.VALUE_NULL;
            walk.skip(value);
        } else if (field.equals("result") && value == JsonToken.START_OBJECT) {
            walk.enter();
            for (String part = walk.nextName(); part != null; part = walk.nextName()) {
                JsonToken of = walk.value();
                failed |= part.equals("isError") && of == JsonToken.VALUE_TRUE;
                walk.skip(of);
            }
        } else {
            walk.skip(value);
        }
    }

    private void remark(String field, JsonToken value) {
        switch (field) {
            case "reason" -> reason = words(value, "payload.reason");
            case "note" -> note = words(value, "payload.note");
            case "status" -> {
                if (rule == KindRule.STATUS) {
                    status = walk.string(value, "payload.status");
                    if (status != null && !STATUSES.contains(status)) {
                        walk.wrong("'payload.status' is " + Excerpt.of(status)
                                + ": say considering, queued, processing or unable");
                    }
                } else {
                    walk.skip(value);
                }
            }
            default -> walk.skip(value);
        }
    }

    /** Bounded, since it is kept with every proposal that the remark is about. */
    private @Nullable String words(JsonToken value, String field) {
        String words = walk.string(value, field);
        if (words != null && words.length() > walk.limits().wordsLength()) {
            walk.wrong("'" + field + "' is longer than " + walk.limits().wordsLength() + " characters");
        }
        return words;
    }

    private void chat(String field, JsonToken value) {
        switch (field) {
            case "text" -> {
                text = true;
                if (value != JsonToken.VALUE_STRING) {
                    walk.wrong("'payload.text' must be a string");
                    walk.skip(value);
                }
            }
            case "format" -> {
                String format = walk.string(value, "payload.format");
                if (format != null && !FORMATS.contains(format)) {
                    walk.wrong("'payload.format' is " + Excerpt.of(format) + ": say plain or markdown");
                }
            }
            default -> walk.skip(value);
        }
    }
}
