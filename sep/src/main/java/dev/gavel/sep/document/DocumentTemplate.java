package dev.gavel.sep.document;

import dev.gavel.lifecycle.process.DocumentFormat;
import dev.gavel.lifecycle.process.DocumentFormat.Markup;
import dev.gavel.lifecycle.process.DocumentFormat.NumberSource;
import dev.gavel.lifecycle.process.DocumentFormat.PreambleForm;
import dev.gavel.lifecycle.process.DocumentFormat.TitleSource;
import dev.gavel.lifecycle.process.PreambleKey;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.process.StateAlias;
import java.time.LocalDate;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Writes a new document with all sections, for the author to fill in: from the template of the process, or else from its
 * document format. Stateless.
 */
public final class DocumentTemplate {
    private static final String UNKNOWN = "TBD";
    private static final String NO_SPONSOR = "None (seeking sponsor)";
    private static final String NO_NUMBER = "0000";

    private DocumentTemplate() {}

    /**
     * Returns a document with every part of the format.
     *
     * @param authors the authors as they are written into the document
     * @param status the status word of the start state
     */
    public static String render(
            DocumentFormat format,
            String title,
            List<String> authors,
            Optional<String> type,
            String status,
            LocalDate day) {
        Map<PreambleKey, String> values = new EnumMap<>(PreambleKey.class);
        values.put(PreambleKey.TITLE, line(title));
        values.put(PreambleKey.NUMBER, NO_NUMBER);
        values.put(PreambleKey.STATUS, status);
        type.or(() -> format.types().stream().findFirst()).ifPresent(word -> values.put(PreambleKey.TYPE, word));
        values.put(PreambleKey.CREATED, DocumentDateFormat.write(day, format));
        values.put(PreambleKey.AUTHOR, authors.isEmpty() ? UNKNOWN : line(String.join(", ", authors)));
        return format.templateText()
                .map(template -> fill(template, values))
                .orElseGet(() -> generate(format, line(title), values));
    }

    /** Returns the template with a placeholder for everything that the author writes. */
    public static String placeholder(DocumentFormat format) {
        return render(format, "Title", List.of(), Optional.empty(), "Draft", LocalDate.EPOCH);
    }

    /** Returns the status word that documents use for the start state. */
    public static String initialStatus(ProcessDefinition processDefinition) {
        String state = processDefinition.startMove().to();
        String word = processDefinition.aliases().stream()
                .filter(alias -> alias.state().equals(state))
                .map(StateAlias::word)
                .findFirst()
                .orElse(state);
        return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
    }

    /** Returns the file name of a document without a number; with its directory if the format has the number there. */
    public static String fileName(DocumentFormat format, String title) {
        return format.files().pathOf(NO_NUMBER + "-" + SectionNames.plainSlug(title));
    }

    private static String fill(String template, Map<PreambleKey, String> values) {
        String text = template;
        for (Map.Entry<PreambleKey, String> value : values.entrySet()) {
            text = text.replace("{" + value.getKey().wireName() + "}", value.getValue());
        }
        return text;
    }

    private static String generate(DocumentFormat format, String title, Map<PreambleKey, String> values) {
        values.put(PreambleKey.SPONSOR, NO_SPONSOR);
        values.put(PreambleKey.DISCUSSION, UNKNOWN);
        values.put(PreambleKey.PR, UNKNOWN);
        boolean hasTitleHeading = format.titleSources().stream().findFirst().equals(Optional.of(TitleSource.HEADING));
        if (hasTitleHeading) {
            values.remove(PreambleKey.TITLE);
        }
        if (!format.numberSources().stream().findFirst().equals(Optional.of(NumberSource.PREAMBLE))) {
            values.remove(PreambleKey.NUMBER);
        }
        values.keySet().removeIf(key -> format.fieldLabels(key).isEmpty());
        PreambleForm form = form(format);
        boolean isFirst = form == PreambleForm.FRONT_MATTER || form == PreambleForm.RFC822;
        StringBuilder text = new StringBuilder();
        if (isFirst) {
            text.append(preamble(format, form, values)).append('\n');
        }
        if (hasTitleHeading) {
            text.append(heading(format.markup(), 1, format.numberLabel(NO_NUMBER) + ": " + title))
                    .append('\n');
        }
        if (!isFirst) {
            text.append(preamble(format, form, values)).append('\n');
        }
        text.append(String.join(
                "\n",
                format.sections().stream()
                        .map(section -> heading(format.markup(), 2, section.name()) + "\n"
                                + section.hint().orElse("") + "\n")
                        .toList()));
        return text.toString();
    }

    private static PreambleForm form(DocumentFormat format) {
        return format.preamble().forms().stream().findFirst().orElse(PreambleForm.BULLETS);
    }

    /** Returns the line of a preamble field in the preferred form of the format. */
    public static String fieldLine(DocumentFormat format, PreambleKey key, String value) {
        return fieldLine(form(format), format.fieldLabel(key), value);
    }

    private static String fieldLine(PreambleForm form, String label, String value) {
        return switch (form) {
            case BULLETS -> "- **" + label + "**: " + value;
            case BOLD -> "**" + label + "**: " + value;
            case TABLE -> "| " + label + " | " + value.replace("|", "\\|") + " |";
            case FRONT_MATTER -> label + ": " + FieldValueReplacer.yamlScalar(value);
            case PLAIN, RFC822 -> label + ": " + value;
        };
    }

    private static String preamble(DocumentFormat format, PreambleForm form, Map<PreambleKey, String> values) {
        StringBuilder text = new StringBuilder();
        values.forEach((key, value) -> {
            text.append(fieldLine(form, format.fieldLabel(key), value)).append('\n');
            // Without an empty line, Markdown would show the fields in one paragraph.
            if (form == PreambleForm.BOLD || form == PreambleForm.PLAIN) {
                text.append('\n');
            }
        });
        return switch (form) {
            case TABLE -> "| | |\n|---|---|\n" + text;
            case FRONT_MATTER -> "---\n" + text + "---\n";
            case BOLD, PLAIN -> text.substring(0, text.length() - 1);
            case BULLETS, RFC822 -> text.toString();
        };
    }

    private static String heading(Markup markup, int level, String words) {
        return switch (markup) {
            case MARKDOWN -> "#".repeat(level) + " " + words + "\n";
            case RESTRUCTURED_TEXT -> words + "\n" + "=".repeat(words.length()) + "\n";
        };
    }

    private static String line(String words) {
        return words.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
    }
}
