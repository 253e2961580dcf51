package dev.gavel.lifecycle.process;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The format of a process's documents: what they are called, where they are, and how their number, title, preamble and
 * sections are written. Immutable.
 *
 * @param prefix what a proposal is called, such as {@code SEP} or {@code KEP}; it is also the prefix of numbers
 * @param label how a number is written, with {@code {number}} in place of the number
 * @param titleSources where the title is, the source that takes precedence first
 * @param numberSources where the number is, the source that takes precedence first
 * @param statusOtherwise the state of an imported document that states no status; if empty, the start state
 * @param types the known types of proposals, in their canonical writing
 * @param dates the patterns of dates as {@link java.time.format.DateTimeFormatter} defines them; the first is preferred
 * @param disabledLintCodes the codes of findings that are not reported
 * @param template the name of the file with the template for new documents, next to the process file
 * @param templateText the content of that file, if it has been read
 */
public record DocumentFormat(
        String prefix,
        String label,
        Markup markup,
        FileRules files,
        List<TitleSource> titleSources,
        List<NumberSource> numberSources,
        PreambleRules preamble,
        Optional<String> statusOtherwise,
        List<SectionRule> sections,
        List<String> types,
        List<String> dates,
        List<String> disabledLintCodes,
        Optional<String> template,
        Optional<String> templateText) {
    private static final Pattern EXTENSION = Pattern.compile("\\.[A-Za-z0-9]{1,20}$");

    public DocumentFormat {
        titleSources = List.copyOf(titleSources);
        numberSources = List.copyOf(numberSources);
        sections = List.copyOf(sections);
        types = List.copyOf(types);
        dates = List.copyOf(dates);
        disabledLintCodes = List.copyOf(disabledLintCodes);
    }

    /** The markup language of the documents. */
    public enum Markup {
        MARKDOWN,
        RESTRUCTURED_TEXT
    }

    /** A place of the title. */
    public enum TitleSource {
        HEADING,
        PREAMBLE,
        FILE_NAME
    }

    /** A place of the number. */
    public enum NumberSource {
        TITLE,
        PREAMBLE,
        FILE_NAME,
        DIRECTORY
    }

    /** A way to write the preamble. */
    public enum PreambleForm {
        BULLETS,
        BOLD,
        PLAIN,
        TABLE,
        FRONT_MATTER,
        RFC822
    }

    /**
     * The files that are documents.
     *
     * @param exclude files that match {@code documents} but are not documents
     * @param preambleFiles the names of files beside a document that contain its preamble as YAML
     */
    public record FileRules(List<FilePattern> documents, List<FilePattern> exclude, List<String> preambleFiles) {
        public FileRules {
            documents = List.copyOf(documents);
            exclude = List.copyOf(exclude);
            preambleFiles = List.copyOf(preambleFiles);
        }

        /** Returns the path of a new document, relative to the directory of the documents. */
        public String pathOf(String name) {
            return documents.isEmpty()
                    ? name
                    : documents.getFirst().lastVariableParts().replaceAll("\\*+", Matcher.quoteReplacement(name));
        }

        /** Whether the file with a path is a document. */
        public boolean isDocument(String path) {
            return documents.stream().anyMatch(pattern -> pattern.matches(path))
                    && exclude.stream().noneMatch(pattern -> pattern.matches(path));
        }
    }

    /**
     * How the preamble is written.
     *
     * @param forms the preferred form first
     * @param labels the labels of each field, the preferred one first
     * @param headings headings that introduce the preamble and are not sections
     */
    public record PreambleRules(
            List<PreambleForm> forms, Map<PreambleKey, List<String>> labels, List<String> headings) {
        public PreambleRules {
            forms = List.copyOf(forms);
            Map<PreambleKey, List<String>> copy = new EnumMap<>(PreambleKey.class);
            labels.forEach((key, words) -> copy.put(key, List.copyOf(words)));
            labels = Collections.unmodifiableMap(copy);
            headings = List.copyOf(headings);
        }
    }

    /**
     * A section of the documents.
     *
     * @param name its heading
     * @param synonyms other headings with the same meaning; in them, {@code *} stands for any characters
     * @param words a heading that has the first of these words, and otherwise only words of the list, is this section
     * @param neededFrom the state from which on a document must have the section
     * @param optional whether a complete document can lack the section
     * @param placeholder whether a placeholder such as {@code TBD} is sufficient content
     * @param hint what to write, for the template
     * @param earlierHints hints of earlier templates, which documents may still contain
     */
    public record SectionRule(
            String name,
            List<String> synonyms,
            List<String> words,
            Optional<String> neededFrom,
            boolean optional,
            boolean placeholder,
            Optional<String> hint,
            List<String> earlierHints) {
        public SectionRule {
            synonyms = List.copyOf(synonyms);
            words = List.copyOf(words);
            earlierHints = List.copyOf(earlierHints);
        }
    }

    /** Returns how a number is written, such as {@code SEP-12}. */
    public String numberLabel(int number) {
        return numberLabel(Integer.toString(number));
    }

    /** Returns how a number or a placeholder for one is written. */
    public String numberLabel(String number) {
        return terms().numberLabel(number);
    }

    /** Returns how texts name the proposals. */
    public ProposalTerms terms() {
        return new ProposalTerms(prefix, label);
    }

    /** Returns the labels of a field, the preferred one first; empty if the documents do not have it. */
    public List<String> fieldLabels(PreambleKey key) {
        return preamble.labels().getOrDefault(key, List.of());
    }

    /** Returns the preferred label of a field; the name of the key if the documents do not have the field. */
    public String fieldLabel(PreambleKey key) {
        return fieldLabels(key).stream().findFirst().orElseGet(key::wireName);
    }

    /** Returns the extensions of documents in lower case, without the dot. */
    public Set<String> fileExtensions() {
        return files.documents().stream()
                .map(FilePattern::pattern)
                .filter(EXTENSION.asPredicate())
                .map(pattern -> pattern.substring(pattern.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns a copy with the content of the template file. */
    public DocumentFormat templateText(String text) {
        return new DocumentFormat(
                prefix,
                label,
                markup,
                files,
                titleSources,
                numberSources,
                preamble,
                statusOtherwise,
                sections,
                types,
                dates,
                disabledLintCodes,
                template,
                Optional.of(text));
    }
}
