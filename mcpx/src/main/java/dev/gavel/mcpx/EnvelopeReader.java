package dev.gavel.mcpx;

import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;

/** Reads and validates envelopes from bytes within configured limits; malformed input yields a refusal. Thread-safe. */
public final class EnvelopeReader {
    private static final List<String> PARSER_HINTS =
            List.of("\n", ": enable", ": maybe a (non-standard)", " (start marker");

    private final EnvelopeLimits limits;
    private final StrictJsonParserFactory json;
    private final StrictJsonParserFactory longAnswerJson;
    private final KindCache kindCache = new KindCache();

    public EnvelopeReader(EnvelopeLimits limits) {
        this.limits = limits;
        this.json = new StrictJsonParserFactory(limits);
        this.longAnswerJson = new StrictJsonParserFactory(limits.ofLongAnswers());
    }

    public EnvelopeLimits limits() {
        return limits;
    }

    KindCache kindCache() {
        return kindCache;
    }

    /** Reads one envelope; the caller must not modify the bytes afterwards. */
    public EnvelopeReadResult read(byte[] bytes) {
        return read(bytes, 0, bytes.length);
    }

    /**
     * Reads one envelope. The returned envelope is a view of the bytes, so the caller must not modify them afterwards.
     *
     * @param bytes the array that contains the envelope
     * @param offset the index of its first byte
     * @param length the number of its bytes
     */
    public EnvelopeReadResult read(byte[] bytes, int offset, int length) {
        if (length <= limits.bytes()) {
            return parse(bytes, offset, length);
        }
        if (length > limits.answerBytes()) {
            return tooLarge(length, limits.bytes() + " (for an answer, " + limits.answerBytes() + ")");
        }
        EnvelopeReadResult result = parse(bytes, offset, length);
        return isAnswer(result) ? result : tooLarge(length, Integer.toString(limits.bytes()));
    }

    private static boolean isAnswer(EnvelopeReadResult result) {
        return switch (result) {
            case Envelope envelope -> envelope.category() == KindCategory.RESPONSE;
            case EnvelopeRefusal refusal ->
                refusal.kind() != null && KindCategory.of(refusal.kind()) == KindCategory.RESPONSE;
        };
    }

    private static EnvelopeRefusal tooLarge(int length, String limit) {
        return refusal(
                EnvelopeErrorCode.TOO_LARGE,
                "The envelope has " + length + " bytes, but the limit is " + limit + ". Send a smaller envelope.");
    }

    private StrictJsonParserFactory parserFactory(int length) {
        return length <= limits.bytes() ? json : longAnswerJson;
    }

    private EnvelopeReadResult parse(byte[] bytes, int offset, int length) {
        String encoding = Utf8Validator.findProblem(bytes, offset, length);
        if (encoding != null) {
            return refusal(EnvelopeErrorCode.MALFORMED, "The envelope is not UTF-8 text: " + encoding + ".");
        }
        EnvelopeTokenParser envelopeParser = null;
        try (JsonParser parser = parserFactory(length).createParser(bytes, offset, length)) {
            envelopeParser = new EnvelopeTokenParser(parser, this, bytes, offset, length);
            return envelopeParser.parse();
        } catch (JacksonException e) {
            String message = explain(e);
            return envelopeParser == null
                    ? refusal(EnvelopeErrorCode.MALFORMED, message)
                    : envelopeParser.refuse(EnvelopeErrorCode.MALFORMED, message);
        }
    }

    /** Parses a payload again, for envelopes whose kind follows the payload. */
    ExtractedPayloadFields rereadPayload(
            RawPayload payload, Kind kind, KindCategory category, JsonTokenReader envelopeTokens) {
        try (JsonParser parser =
                parserFactory(payload.length()).createParser(payload.array(), payload.offset(), payload.length())) {
            var payloadReader = new JsonTokenReader(parser, limits);
            ExtractedPayloadFields payloadFields =
                    PayloadParser.parse(payloadReader, kind, category, parser.nextToken());
            String problem = payloadReader.firstProblem();
            if (problem != null) {
                envelopeTokens.reportProblem(problem);
            }
            return payloadFields;
        }
    }

    private static EnvelopeRefusal refusal(EnvelopeErrorCode code, String message) {
        return new EnvelopeRefusal(code, message, null, null, EnvelopeSyntax.CURRENT);
    }

    private String explain(JacksonException e) {
        return switch (e) {
            case StreamConstraintsException _ ->
                "The envelope exceeds the limits: at most " + limits.depth()
                        + " levels, " + limits.tokens() + " names and values, names of " + limits.nameLength()
                        + " characters and numbers of " + limits.numberLength() + " characters are allowed.";
            case UnexpectedEndOfInputException _ ->
                "The envelope's JSON is incomplete. Send the whole envelope at once.";
            default -> "The envelope is not valid JSON" + describeLocation(e) + ": " + reason(e) + ".";
        };
    }

    private static String describeLocation(JacksonException e) {
        var location = e.getLocation();
        return location == null || location.getByteOffset() < 0 ? "" : " near byte " + location.getByteOffset();
    }

    private static String reason(JacksonException e) {
        String message = e.getOriginalMessage();
        if (message == null) {
            return "it cannot be read";
        }
        // What follows these hints is addressed to developers who configure the parser.
        for (String hint : PARSER_HINTS) {
            int at = message.indexOf(hint);
            message = at < 0 ? message : message.substring(0, at);
        }
        return InputExcerptFormatter.unquoted(message, 160);
    }
}
