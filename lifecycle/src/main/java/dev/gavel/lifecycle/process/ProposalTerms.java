package dev.gavel.lifecycle.process;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How texts name the proposals of a process, such as "SEP-12", "several KEPs" or "an EIP". Immutable.
 *
 * @param name what a proposal is called, such as {@code SEP}
 * @param label how a number is written, with {@code {number}} in place of the number
 */
public record ProposalTerms(String name, String label) {
    /** The terms of processes whose file has no other ones. */
    public static final ProposalTerms DEFAULT = new ProposalTerms("SEP", "SEP-{number}");

    private static final String NUMBER = "{number}";
    private static final Pattern VOWEL = Pattern.compile("[aeiou]", Pattern.CASE_INSENSITIVE);

    /** The first letters of abbreviations whose spoken first letter begins with a vowel, such as the R of RFC. */
    private static final String VOWEL_LETTERS = "FHLMNRSX";

    /** Returns how a number is written, such as {@code SEP-12}. */
    public String numberLabel(long number) {
        return numberLabel(Long.toString(number));
    }

    /** Returns how a number or a placeholder for one is written. */
    public String numberLabel(String number) {
        return label.replace(NUMBER, number);
    }

    /** Returns what several proposals are called. */
    public String plural() {
        return name + "s";
    }

    /** Returns a count with its unit, such as "1 SEP" or "12 SEPs". */
    public String count(long count) {
        return count + " " + (count == 1 ? name : plural());
    }

    /** Returns the name with its article, such as "a SEP", "an EIP" or "an RFC". */
    public String withArticle() {
        char first = Character.toUpperCase(name.charAt(0));
        boolean spelled = !VOWEL.matcher(name).find();
        boolean vowel = spelled ? VOWEL_LETTERS.indexOf(first) >= 0 : "AEIOU".indexOf(first) >= 0;
        return (vowel ? "an " : "a ") + name;
    }

    /**
     * Returns a text of the program with the terms in it. {@code {proposal}} stands for the name, {@code {a proposal}}
     * and {@code {A proposal}} for the name with its article, and {@code {proposals}} for the plural. A text must not
     * contain user input, which could contain the same placeholders.
     */
    public String text(String template) {
        String withArticle = withArticle();
        return template.replace("{a proposal}", withArticle)
                .replace(
                        "{A proposal}", withArticle.substring(0, 1).toUpperCase(Locale.ROOT) + withArticle.substring(1))
                .replace("{proposals}", plural())
                .replace("{proposal}", name);
    }

    /** Parses a number as people write it, such as "12", "#12" or "SEP-12". */
    public Optional<Integer> parseNumber(String text) {
        Matcher matcher = Pattern.compile(
                        "(?:" + Pattern.quote(name) + ")?[-# ]*0*(\\d{1,9})", Pattern.CASE_INSENSITIVE)
                .matcher(text.strip());
        return matcher.matches() ? Optional.of(Integer.valueOf(matcher.group(1))) : Optional.empty();
    }
}
