package dev.gavel.mcpx;

import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;

/**
 * Reads envelopes: one streaming pass over the bytes, within limits, that checks all a single envelope can be checked for
 * and keeps the bytes as they came. Thread-safe.
 */
public final class EnvelopeReader {
    private static final List<String> ADVICE = List.of("\n", ": enable", ": maybe a (non-standard)", " (start marker");

    private final Limits limits;
    private final StrictJson json;
    private final KnownKinds kinds = new KnownKinds();

    public EnvelopeReader(Limits limits) {
        this.limits = limits;
        this.json = new StrictJson(limits);
    }

    /** The limits it holds envelopes to. */
    public Limits limits() {
        return limits;
    }

    KnownKinds kinds() {
        return kinds;
    }

    /** Reads one envelope; the bytes must be left alone from here on. */
    public Reading read(byte[] bytes) {
        return read(bytes, 0, bytes.length);
    }

    /**
     * Reads one envelope. The envelope given back is a view of the bytes, so they must be left alone from here on.
     *
     * @param bytes where the envelope is, and perhaps more
     * @param offset where it begins
     * @param length how many bytes it is
     */
    public Reading read(byte[] bytes, int offset, int length) {
        if (length > limits.bytes()) {
            return refusal(
                    ErrorCode.TOO_LARGE,
                    "The envelope has " + length + " bytes; at most " + limits.bytes()
                            + " are taken. Send less at once.");
        }
        String encoding = Encoding.problem(bytes, offset, length);
        if (encoding != null) {
            return refusal(ErrorCode.MALFORMED, "The envelope is not UTF-8 text: " + encoding + ".");
        }
        EnvelopeWalk walk = null;
        try (JsonParser parser = json.parser(bytes, offset, length)) {
            walk = new EnvelopeWalk(parser, this, bytes, offset, length);
            return walk.run();
        } catch (JacksonException e) {
            String message = explain(e);
            return walk == null ? refusal(ErrorCode.MALFORMED, message) : walk.refuse(ErrorCode.MALFORMED, message);
        }
    }

    /** Looks at a payload again, for envelopes that say their kind only after it. */
    PayloadFacts readAgain(Payload payload, KindRule rule, JsonWalk first) {
        try (JsonParser parser = json.parser(payload.array(), payload.offset(), payload.length())) {
            var again = new JsonWalk(parser, limits);
            PayloadFacts facts = PayloadWalk.read(again, rule, parser.nextToken());
            String problem = again.problem();
            if (problem != null) {
                first.wrong(problem);
            }
            return facts;
        }
    }

    private static Refusal refusal(ErrorCode code, String message) {
        return new Refusal(code, message, null, null, Spelling.CURRENT);
    }

    private String explain(JacksonException e) {
        return switch (e) {
            case StreamConstraintsException _ ->
                "The envelope is beyond the limits: at most " + limits.depth()
                        + " levels, " + limits.tokens() + " names and values, names of " + limits.nameLength()
                        + " and numbers of " + limits.numberLength() + " characters are taken.";
            case UnexpectedEndOfInputException _ ->
                "The envelope ends in the middle of its JSON. Send all of it at once.";
            default -> "The envelope is not valid JSON" + place(e) + ": " + reason(e) + ".";
        };
    }

    private static String place(JacksonException e) {
        var location = e.getLocation();
        return location == null || location.getByteOffset() < 0 ? "" : " near byte " + location.getByteOffset();
    }

    private static String reason(JacksonException e) {
        String message = e.getOriginalMessage();
        if (message == null) {
            return "it cannot be read";
        }
        // What follows these is for somebody who could set the parser up otherwise.
        for (String advice : ADVICE) {
            int at = message.indexOf(advice);
            message = at < 0 ? message : message.substring(0, at);
        }
        return Excerpt.plain(message, 160);
    }
}
