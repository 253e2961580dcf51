package dev.gavel.sep.document;

/** Replaces the status in a document's text and leaves every other character unchanged. Stateless. */
final class StatusReplacer {
    private static final String MARKS = "*_`";

    private StatusReplacer() {}

    static String replace(String text, PreambleField field, String word) {
        String clean = word.replaceAll("[\\p{Cntrl}\\u2028\\u2029]+", " ").strip();
        StatusFieldText statusFieldText = StatusFieldText.of(field);
        int start = statusFieldText.start();
        // If the replaced range contains marks, the opening marks before it are replaced too.
        String written = text.substring(start, statusFieldText.end());
        if (written.chars().anyMatch(each -> MARKS.indexOf(each) >= 0)) {
            while (start > field.firstLine().start() && MARKS.indexOf(text.charAt(start - 1)) >= 0) {
                start--;
            }
        }
        String before = text.substring(0, start);
        boolean touching = statusFieldText.start() == statusFieldText.end()
                && !before.isEmpty()
                && field.style() != PreambleField.Style.YAML
                && !Character.isWhitespace(before.charAt(before.length() - 1));
        return before + (touching ? " " : "") + formatValue(text, field, clean) + text.substring(statusFieldText.end());
    }

    private static String formatValue(String text, PreambleField field, String word) {
        return switch (field.style()) {
            case LINE -> word;
            case TABLE -> word.replace("|", "\\|");
            case YAML -> {
                int start = field.valueRange().start();
                char before = start == 0 ? ' ' : text.charAt(start - 1);
                boolean quoted = before == '"' || before == '\'';
                boolean plain =
                        word.chars().allMatch(each -> Character.isLetterOrDigit(each) || each == ' ' || each == '-');
                yield quoted || plain ? word.replace("\"", "").replace("'", "") : '"' + word.replace("\"", "") + '"';
            }
        };
    }
}
