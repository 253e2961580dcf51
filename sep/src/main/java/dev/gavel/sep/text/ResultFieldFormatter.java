package dev.gavel.sep.text;

import dev.gavel.lifecycle.process.ProposalTerms;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;

/** Formats single fields of a SEP result as text, and makes untrusted text safe to print. Stateless. */
final class ResultFieldFormatter {
    /** Placeholder for a missing value. */
    static final String NONE = "-";

    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm").withZone(ZoneOffset.UTC);

    private ResultFieldFormatter() {}

    static String singleLine(Json text) {
        return SafeText.line(text.text());
    }

    private static String name(Json sep, ProposalTerms terms) {
        return terms.numberLabel(singleLine(sep.at("number")));
    }

    /** Returns "SEP-12: Title", or the number alone if there is no title. */
    static String numberAndTitle(Json sep, ProposalTerms terms) {
        return sep.at("title").asText().filter(title -> !title.isBlank()).isPresent()
                ? name(sep, terms) + ": " + singleLine(sep.at("title"))
                : name(sep, terms);
    }

    /** Returns the UTC day of a timestamp, or the text unchanged if it is not a timestamp. */
    static String day(Json time) {
        String text = time.text();
        return instant(text)
                .map(at -> at.atOffset(ZoneOffset.UTC).toLocalDate().toString())
                .orElseGet(() -> text.isEmpty() ? NONE : SafeText.line(text));
    }

    /** Returns a timestamp to the minute, in UTC. */
    static String minute(Json time) {
        return instant(time.text()).map(MINUTE::format).orElseGet(() -> singleLine(time));
    }

    private static Optional<Instant> instant(String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /** Returns the first digits of a hash, or {@link #NONE}. */
    static String shortHash(Json hash) {
        String text = singleLine(hash);
        return text.isEmpty() ? NONE : text.substring(0, Math.min(12, text.length()));
    }

    /** Returns the texts separated by commas, or {@link #NONE}. */
    static String texts(Json texts) {
        String all = String.join(", ", texts.texts());
        return all.isEmpty() ? NONE : SafeText.line(all);
    }

    /** Returns the numbers separated by commas, or {@link #NONE}. */
    static String numbers(Json numbers) {
        List<String> all = numbers.elements().stream()
                .map(ResultFieldFormatter::singleLine)
                .toList();
        return all.isEmpty() ? NONE : String.join(", ", all);
    }

    static Optional<String> expected(Json expectedBy) {
        return expectedBy.type() == Json.Type.OBJECT
                ? Optional.of(day(expectedBy.at("date"))
                        + (singleLine(expectedBy.at("then")).isEmpty()
                                ? ""
                                : " (" + singleLine(expectedBy.at("then")) + ")"))
                : Optional.empty();
    }
}
