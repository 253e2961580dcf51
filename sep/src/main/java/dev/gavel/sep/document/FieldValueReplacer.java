package dev.gavel.sep.document;

/** Replaces the value of a preamble field and leaves every other character of the document unchanged. Stateless. */
final class FieldValueReplacer {
    private static final String MARKS = "*_`";

    private FieldValueReplacer() {}

    /** Replaces the status, and a remark about it unless the remark stands outside of its marks. */
    static String replaceStatus(String text, PreambleField field, String word) {
        StatusFieldText statusFieldText = StatusFieldText.of(field);
        return replace(text, field, statusFieldText.start(), statusFieldText.end(), word);
    }

    /** Replaces all lines of the value. */
    static String replaceWhole(String text, PreambleField field, String value) {
        PositionMappedText first = field.firstLine();
        PositionMappedText last = field.lastLine();
        return replace(text, field, first.offset(0), last.endOffset(last.length()), value);
    }

    private static String replace(String text, PreambleField field, int from, int to, String value) {
        String clean = value.replaceAll("[\\p{Cntrl}\\u2028\\u2029]+", " ").strip();
        int start = from;
        // If the replaced range contains marks, the opening marks before it are replaced too.
        if (text.substring(from, to).chars().anyMatch(each -> MARKS.indexOf(each) >= 0)) {
            while (start > field.firstLine().start() && MARKS.indexOf(text.charAt(start - 1)) >= 0) {
                start--;
            }
        }
        String before = text.substring(0, start);
        boolean touching = (from == to || field.firstLine().isBlank())
                && !before.isEmpty()
                && field.style() != PreambleField.Style.YAML
                && !Character.isWhitespace(before.charAt(before.length() - 1));
        return before + (touching ? " " : "") + formatValue(text, field, clean) + text.substring(to);
    }

    private static String formatValue(String text, PreambleField field, String word) {
        return switch (field.style()) {
            case LINE, HEADER, SIDE_FILE -> word;
            case TABLE -> word.replace("|", "\\|");
            case YAML -> {
                int start = field.valueRange().start();
                char before = start == 0 ? ' ' : text.charAt(start - 1);
                boolean quoted = before == '"' || before == '\'';
                yield quoted ? word.replace("\"", "").replace("'", "") : yamlScalar(word);
            }
        };
    }

    /** Returns a text as the value of a YAML key. */
    static String yamlScalar(String word) {
        boolean plain = word.chars().allMatch(each -> Character.isLetterOrDigit(each) || each == ' ' || each == '-');
        return plain ? word : '"' + word.replace("\"", "") + '"';
    }
}
