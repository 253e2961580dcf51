package dev.gavel.sep.document;

import dev.gavel.lifecycle.process.DocumentFormat;
import dev.gavel.lifecycle.process.DocumentFormat.NumberSource;
import dev.gavel.lifecycle.process.DocumentFormat.SectionRule;
import dev.gavel.lifecycle.process.DocumentFormat.TitleSource;
import dev.gavel.lifecycle.process.PreambleKey;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the structure of a document from its text and format, in linear time. Not thread-safe. */
final class DocumentReader {
    private static final int LONGEST_PREAMBLE = 10_000;
    private static final int LONGEST_SUMMARY = 8_000;
    private static final int LONGEST_ONLY_LINE = 300;
    /** How many sections of the format, from the first one, are the summary of a document. */
    private static final int SUMMARY_SECTIONS = 2;

    private static final int LONGEST_COMMENT = 4_000;
    private static final int MAX_DISABLED = 100;
    private static final Pattern DISABLED =
            Pattern.compile("\\bgavel-lint-disable((?:[ ,]{1,3}[a-z0-9][a-z0-9-]{0,50}){1,50})");

    private final String text;
    private final CompiledDocumentFormat compiled;
    private final DocumentFormat format;
    private final SectionNames sectionNames;
    private final Optional<DocumentFile> file;
    private final DocumentLines lines;
    private final List<DocumentHeading> headings;
    private final List<PreambleField> fields;
    private final Optional<DocumentHeading> titleHeading;
    private final List<SectionRange> sectionRanges;

    /** A section and the range of its lines. */
    private record SectionRange(DocumentSection section, int from, int to) {}

    private DocumentReader(String text, DocumentFormat format, Optional<DocumentFile> file) {
        this.text = text;
        this.compiled = CompiledDocumentFormat.of(format);
        this.format = format;
        this.sectionNames = compiled.sections();
        this.file = file;
        this.lines = DocumentLines.of(text, compiled);
        this.headings = switch (format.markup()) {
            case MARKDOWN -> new HeadingScanner(text, lines, compiled).scan();
            case RESTRUCTURED_TEXT -> new RestructuredTextHeadingScanner(text, lines, sectionNames).scan();
        };
        this.titleHeading = findTitleHeading();
        this.fields = preamble();
        this.sectionRanges = readSections();
    }

    static Document read(String text, DocumentFormat format, Optional<DocumentFile> file) {
        DocumentReader reader = new DocumentReader(
                text.length() > Document.MAX_LENGTH ? text.substring(0, Document.MAX_LENGTH) : text, format, file);
        Optional<DocumentTitle> title = reader.title();
        return new Document(
                text,
                format,
                reader.lines,
                reader.fields,
                title,
                reader.sectionRanges.stream().map(SectionRange::section).toList(),
                reader.headings.stream()
                        .filter(heading -> !heading.hasSpace())
                        .map(DocumentHeading::range)
                        .toList(),
                reader.disabledLintCodes(),
                reader.metadata(title));
    }

    /**
     * Returns the first heading with a number or a placeholder for one before it. Otherwise it is the first heading, unless
     * that is a standard section or below level two. Headings of the preamble are skipped.
     */
    private Optional<DocumentHeading> findTitleHeading() {
        if (!format.titleSources().contains(TitleSource.HEADING)) {
            return Optional.empty();
        }
        for (DocumentHeading heading : headings) {
            if (compiled.titles().isTitle(heading.text())) {
                return Optional.of(heading);
            }
            if (sectionNames.isPreambleHeading(heading.slug())) {
                continue;
            }
            return sectionNames.isStandard(heading.slug()) || heading.level() > 2
                    ? Optional.empty()
                    : Optional.of(heading);
        }
        return Optional.empty();
    }

    /**
     * Reads the preamble before the first standard section. At most two other sections, such as a table of contents,
     * may precede it.
     */
    private List<PreambleField> preamble() {
        BitSet marked = new BitSet();
        headings.forEach(heading -> marked.set(heading.lineIndex(), heading.bodyIndex()));
        List<PreambleField> found = List.of();
        for (int others = 0; others < 3 && found.isEmpty(); others++) {
            found = new PreambleReader(
                            text, lines, compiled.labels(), format.preamble().forms(), marked)
                    .read(0, preambleEnd(others));
        }
        List<PreambleField> all = new ArrayList<>();
        file.stream()
                .flatMap(known -> known.preambles().stream())
                .forEach(yaml -> all.addAll(PreambleReader.readSideFile(yaml, compiled.labels())));
        all.addAll(found);
        return List.copyOf(all);
    }

    private int preambleEnd(int others) {
        int end = Math.min(lines.all().size(), LONGEST_PREAMBLE);
        int skipped = 0;
        for (DocumentHeading heading : headings) {
            boolean title = titleHeading.filter(heading::equals).isPresent();
            if (title || sectionNames.isPreambleHeading(heading.slug())) {
                continue;
            }
            if (sectionNames.isStandard(heading.slug()) || skipped++ == others) {
                return Math.min(end, heading.lineIndex());
            }
        }
        return end;
    }

    private Optional<DocumentTitle> title() {
        return format.titleSources().stream()
                .flatMap(source -> title(source).stream())
                .findFirst();
    }

    private Optional<DocumentTitle> title(TitleSource source) {
        return switch (source) {
            case HEADING -> titleHeading.map(heading -> compiled.titles().parse(heading.text(), heading.range()));
            case PREAMBLE ->
                field(PreambleKey.TITLE)
                        .filter(field -> !PreambleValueParser.isPlaceholder(field.value()))
                        .map(field -> compiled.titles().parse(field.value(), field.valueRange()));
            case FILE_NAME ->
                file.map(known -> DocumentFileName.of(known.path(), format).words())
                        .filter(words -> !words.isEmpty())
                        .map(words -> new DocumentTitle(
                                OptionalInt.empty(), Optional.empty(), words, new TextRange(0, 0, 1, 1)));
        };
    }

    /** Returns the number in the source that takes precedence, of those that have one. */
    static OptionalInt number(
            DocumentFormat format,
            Optional<DocumentTitle> title,
            Optional<PreambleField> numberField,
            Optional<DocumentFileName> fileName) {
        for (NumberSource source : format.numberSources()) {
            OptionalInt number = switch (source) {
                case TITLE -> title.map(DocumentTitle::number).orElse(OptionalInt.empty());
                case PREAMBLE ->
                    numberField
                            .map(field -> PreambleValueParser.numbers(
                                    field.value(),
                                    CompiledDocumentFormat.of(format).reference()))
                            .filter(numbers -> numbers.size() == 1)
                            .map(numbers -> OptionalInt.of(numbers.getFirst()))
                            .orElse(OptionalInt.empty());
                case FILE_NAME, DIRECTORY ->
                    fileName.map(DocumentFileName::number).orElse(OptionalInt.empty());
            };
            if (number.isPresent()) {
                return number;
            }
        }
        return OptionalInt.empty();
    }

    private Optional<PreambleField> field(PreambleKey key) {
        return fields.stream().filter(each -> each.key() == key).findFirst();
    }

    private List<SectionRange> readSections() {
        int level = headings.stream()
                .filter(heading -> sectionNames.isStandard(heading.slug())
                        && titleHeading.filter(heading::equals).isEmpty())
                .mapToInt(DocumentHeading::level)
                .findFirst()
                .orElse(2);
        List<SectionRange> found = new ArrayList<>();
        Set<String> outer = new LinkedHashSet<>();
        for (DocumentHeading heading : headings) {
            if (heading.level() <= level) {
                outer.add(heading.slug());
            }
        }
        for (int i = 0; i < headings.size(); i++) {
            DocumentHeading heading = headings.get(i);
            boolean isTopLevel = heading.level() <= level;
            boolean isOnlyNested = sectionNames.isStandard(heading.slug()) && !outer.contains(heading.slug());
            if (titleHeading.filter(heading::equals).isEmpty()
                    && !sectionNames.isPreambleHeading(heading.slug())
                    && (isTopLevel || isOnlyNested)) {
                found.add(readSection(heading, i, !isTopLevel));
            }
        }
        return found;
    }

    private SectionRange readSection(DocumentHeading heading, int index, boolean nested) {
        int end = lines.all().size();
        for (int i = index + 1; i < headings.size(); i++) {
            if (headings.get(i).level() <= heading.level()) {
                end = headings.get(i).lineIndex();
                break;
            }
        }
        int seen = 0;
        String onlyLine = "";
        int next = index + 1;
        for (int i = heading.bodyIndex(); i < end && seen < 2; i++) {
            if (next < headings.size() && headings.get(next).lineIndex() == i) {
                i = headings.get(next++).bodyIndex() - 1;
                continue;
            }
            DocumentLine line = lines.all().get(i);
            if (line.isVisible()) {
                String words = line.end() - line.start() > LONGEST_ONLY_LINE
                        ? "long"
                        : PositionMappedText.of(text, line.start(), line.end()).text();
                if (words.isBlank() && line.isText()) {
                    continue;
                }
                seen++;
                onlyLine = words;
            }
        }
        boolean mayBePlaceholder = sectionNames
                .rule(heading.slug())
                .filter(SectionRule::placeholder)
                .isPresent();
        boolean filled = seen > 1 || (seen == 1 && (mayBePlaceholder || !isUnwritten(heading.slug(), onlyLine)));
        DocumentSection section = new DocumentSection(
                heading.slug(), heading.text(), heading.level(), heading.range(), end, seen > 0, filled, nested);
        return new SectionRange(section, heading.bodyIndex(), end);
    }

    /**
     * Whether the only line of a section is a placeholder for unwritten text. "None." is not one: it states that there
     * is nothing to say.
     */
    private boolean isUnwritten(String slug, String line) {
        String word = line.strip().toLowerCase(Locale.ROOT);
        return (word.length() < 40
                        && (word.replaceAll("[^a-z]", "").matches("tbd|todo|tba|tbc|wip|comingsoon|tobe[a-z]+")
                                || word.chars().noneMatch(Character::isLetterOrDigit)))
                || sectionNames
                        .rule(slug)
                        .filter(rule -> isHint(rule, line.strip()))
                        .isPresent();
    }

    /** Whether the text is what a template tells the author to write. */
    private static boolean isHint(SectionRule rule, String line) {
        return rule.hint().filter(line::equals).isPresent()
                || rule.earlierHints().contains(line);
    }

    private DocumentMetadata metadata(Optional<DocumentTitle> title) {
        Set<String> filled = new LinkedHashSet<>();
        sectionRanges.forEach(sectionRange -> {
            if (sectionRange.section().filled()
                    && !sectionRange.section().slug().isEmpty()) {
                filled.add(sectionRange.section().slug());
            }
        });
        String words = title.map(DocumentTitle::text)
                .filter(each -> !each.isEmpty())
                .or(() -> field(PreambleKey.TITLE)
                        .map(PreambleField::value)
                        .filter(value -> !PreambleValueParser.isPlaceholder(value)))
                .orElse("");
        return new DocumentMetadata(
                number(
                        format,
                        title,
                        field(PreambleKey.NUMBER),
                        file.flatMap(known -> DocumentFileName.numbered(known.path(), format))),
                words,
                field(PreambleKey.STATUS)
                        .map(field -> StatusFieldText.of(field).text())
                        .or(format::statusOtherwise)
                        .flatMap(PreambleValueParser::text),
                field(PreambleKey.TYPE)
                        .flatMap(field -> PreambleValueParser.text(field.value()))
                        .map(this::normalizeType),
                field(PreambleKey.AUTHOR)
                        .map(field -> AuthorParser.parse(field.fullValue()))
                        .orElse(List.of()),
                field(PreambleKey.SPONSOR)
                        .filter(field -> !PreambleValueParser.isPlaceholder(field.fullValue()))
                        .flatMap(field ->
                                AuthorParser.parse(field.fullValue()).stream().findFirst()),
                field(PreambleKey.CREATED).flatMap(field -> PreambleValueParser.text(field.value())),
                field(PreambleKey.DISCUSSION)
                        .flatMap(field -> PreambleValueParser.linkTarget(field.fullValue()))
                        .or(() -> field(PreambleKey.ISSUE)
                                .flatMap(field -> PreambleValueParser.linkTarget(field.fullValue()))),
                field(PreambleKey.PR).flatMap(field -> PreambleValueParser.linkTarget(field.value())),
                filled,
                new DeclaredSepRelations(
                        links(PreambleKey.SUPERSEDES),
                        links(PreambleKey.REPLACES),
                        links(PreambleKey.REQUIRES),
                        links(PreambleKey.SUPERSEDED_BY)),
                summary(words));
    }

    /** Returns the lint codes in comments such as {@code <!-- gavel-lint-disable html-tag -->}. */
    private Set<String> disabledLintCodes() {
        Set<String> codes = new LinkedHashSet<>();
        for (DocumentLine line : lines.all()) {
            if (line.kind() == DocumentLine.Kind.HIDDEN && line.end() - line.start() <= LONGEST_COMMENT) {
                Matcher disabled = DISABLED.matcher(lines.text(line));
                if (disabled.find() && codes.size() < MAX_DISABLED) {
                    codes.addAll(List.of(disabled.group(1).strip().split("[ ,]+")));
                }
            }
        }
        return Set.copyOf(codes);
    }

    private List<Integer> links(PreambleKey key) {
        return field(key)
                .map(field -> PreambleValueParser.numbers(field.fullValue(), compiled.reference()))
                .orElse(List.of());
    }

    private String normalizeType(String type) {
        String words = type.replaceAll("[\\s_-]+", " ").strip();
        return format.types().stream()
                .filter(words::equalsIgnoreCase)
                .findFirst()
                .orElse(type);
    }

    /** Returns the summary, with the title on a line by itself because the similarity index gives it more weight. */
    private String summary(String title) {
        StringBuilder summary = new StringBuilder();
        List<String> slugs =
                sectionNames.standardSlugs().stream().limit(SUMMARY_SECTIONS).toList();
        for (SectionRange sectionRange : sectionRanges) {
            if (slugs.contains(sectionRange.section().slug())) {
                for (int i = sectionRange.from(); i < sectionRange.to() && summary.length() < LONGEST_SUMMARY; i++) {
                    DocumentLine line = lines.all().get(i);
                    if (line.isText()) {
                        int end = Math.min(line.end(), line.start() + LONGEST_SUMMARY);
                        summary.append(' ')
                                .append(PreambleValueParser.withoutLinks(PositionMappedText.of(text, line.start(), end)
                                                .text())
                                        .strip());
                    }
                }
            }
        }
        String all = (title + "\n" + summary.toString().replaceAll("\\s+", " ").strip()).strip();
        if (all.length() <= LONGEST_SUMMARY) {
            return all;
        }
        boolean halved = Character.isHighSurrogate(all.charAt(LONGEST_SUMMARY - 1));
        return all.substring(0, halved ? LONGEST_SUMMARY - 1 : LONGEST_SUMMARY);
    }
}
