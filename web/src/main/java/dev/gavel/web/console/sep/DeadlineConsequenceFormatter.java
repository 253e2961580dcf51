package dev.gavel.web.console.sep;

import java.util.regex.Pattern;

/** Formats what happens at the deadline of a SEP as the end of a sentence for one reader. Stateless. */
public final class DeadlineConsequenceFormatter {
    private static final String REMINDED = " will be reminded";

    private DeadlineConsequenceFormatter() {}

    /**
     * Returns the text with a full stop. It calls the reader "you".
     *
     * @param consequence what the SEP service says
     * @param readerName the name by which the SEP service calls the reader
     */
    public static String format(String consequence, String readerName) {
        return EnglishTextFormatter.withFullStop(
                consequence.endsWith(REMINDED)
                        ? Pattern.compile(
                                        "(?<=^|, | and | or )" + Pattern.quote(readerName) + "(?=,| and | or |"
                                                + REMINDED + ")",
                                        Pattern.CASE_INSENSITIVE)
                                .matcher(consequence)
                                .replaceAll("you")
                        : EnglishTextFormatter.uncapitalize(consequence));
    }
}
