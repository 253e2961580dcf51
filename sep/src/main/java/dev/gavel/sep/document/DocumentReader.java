package dev.gavel.sep.document;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Reads a document in passes that each take time in proportion to its length. Not thread-safe. */
final class DocumentReader {
    private static final int LONGEST_PREAMBLE = 10_000;
    private static final int LONGEST_SUMMARY = 8_000;
    private static final int LONGEST_ONLY_LINE = 300;
    private static final List<String> TYPES =
            List.of("Standards Track", "Extensions Track", "Informational", "Process");

    private final String text;
    private final Lines lines;
    private final List<Heading> headings;
    private final List<Field> fields;
    private final Optional<Heading> titled;
    private final List<Part> parts;

    /** A section with the lines it has. */
    private record Part(Section section, int from, int to) {}

    private DocumentReader(String text) {
        this.text = text;
        this.lines = Lines.of(text);
        this.headings = Headings.of(text, lines);
        this.titled = titled();
        this.fields = preamble();
        this.parts = parts();
    }

    static Document read(String text) {
        DocumentReader reader =
                new DocumentReader(text.length() > Document.LIMIT ? text.substring(0, Document.LIMIT) : text);
        Optional<Title> title = reader.title();
        return new Document(
                text,
                reader.fields,
                title,
                reader.parts.stream().map(Part::section).toList(),
                reader.headings.stream()
                        .filter(heading -> !heading.spaced())
                        .map(Heading::spot)
                        .toList(),
                reader.outline(title));
    }

    /** The first heading, unless it is that of the preamble or of a section of the format. */
    private Optional<Heading> titled() {
        for (Heading heading : headings) {
            if (Title.marked(heading.words())) {
                return Optional.of(heading);
            }
            if (SectionName.preamble(heading.slug())) {
                continue;
            }
            return SectionName.ofFormat(heading.slug()) || heading.level() > 2
                    ? Optional.empty()
                    : Optional.of(heading);
        }
        return Optional.empty();
    }

    /** What stands before the first section; a table of contents or the like may stand before it, but not much more. */
    private List<Field> preamble() {
        BitSet marked = new BitSet();
        headings.forEach(heading -> marked.set(heading.line(), heading.body()));
        List<Field> found = List.of();
        for (int others = 0; others < 3 && found.isEmpty(); others++) {
            found = new Preamble(text, lines, marked).read(0, preambleEnd(others));
        }
        return List.copyOf(found);
    }

    private int preambleEnd(int others) {
        int end = Math.min(lines.all().size(), LONGEST_PREAMBLE);
        int skipped = 0;
        for (Heading heading : headings) {
            boolean title = titled.filter(heading::equals).isPresent();
            if (title || SectionName.preamble(heading.slug())) {
                continue;
            }
            if (SectionName.ofFormat(heading.slug()) || skipped++ == others) {
                return Math.min(end, heading.line());
            }
        }
        return end;
    }

    private Optional<Title> title() {
        return titled.map(heading -> Title.read(heading.words(), heading.spot()))
                .or(() -> field(Key.TITLE)
                        .filter(field -> !Value.nothing(field.value()))
                        .map(field -> Title.read(field.value(), field.valueSpot())));
    }

    private Optional<Field> field(Key key) {
        return fields.stream().filter(each -> each.key() == key).findFirst();
    }

    private List<Part> parts() {
        int level = headings.stream()
                .filter(heading -> SectionName.ofFormat(heading.slug())
                        && titled.filter(heading::equals).isEmpty())
                .mapToInt(Heading::level)
                .findFirst()
                .orElse(2);
        List<Part> found = new ArrayList<>();
        Set<String> outer = new LinkedHashSet<>();
        for (Heading heading : headings) {
            if (heading.level() <= level) {
                outer.add(heading.slug());
            }
        }
        for (int i = 0; i < headings.size(); i++) {
            Heading heading = headings.get(i);
            boolean own = heading.level() <= level;
            boolean lost = SectionName.ofFormat(heading.slug()) && !outer.contains(heading.slug());
            if (titled.filter(heading::equals).isEmpty() && !SectionName.preamble(heading.slug()) && (own || lost)) {
                found.add(part(heading, i, !own));
            }
        }
        return found;
    }

    private Part part(Heading heading, int index, boolean nested) {
        int end = lines.all().size();
        for (int i = index + 1; i < headings.size(); i++) {
            if (headings.get(i).level() <= heading.level()) {
                end = headings.get(i).line();
                break;
            }
        }
        int seen = 0;
        String only = "";
        int next = index + 1;
        for (int i = heading.body(); i < end && seen < 2; i++) {
            if (next < headings.size() && headings.get(next).line() == i) {
                i = headings.get(next++).body() - 1;
                continue;
            }
            Line line = lines.all().get(i);
            if (line.seen()) {
                String words = line.end() - line.start() > LONGEST_ONLY_LINE
                        ? "long"
                        : Plain.of(text, line.start(), line.end()).words();
                if (words.isBlank() && line.text()) {
                    continue;
                }
                seen++;
                only = words;
            }
        }
        // An implementation is completed last of all: before, that it is to come is all there is to say.
        boolean mayCome = heading.slug().equals(SectionName.REFERENCE_IMPLEMENTATION);
        boolean filled = seen > 1 || (seen == 1 && (mayCome || !unwritten(heading.slug(), only)));
        Section section =
                new Section(heading.slug(), heading.words(), heading.level(), heading.spot(), seen > 0, filled, nested);
        return new Part(section, heading.body(), end);
    }

    /** Whether a section's only line says that it is yet to be written; "None." says that there is nothing to say. */
    private static boolean unwritten(String slug, String line) {
        String word = line.strip().toLowerCase(Locale.ROOT);
        return (word.length() < 40
                        && (word.replaceAll("[^a-z]", "").matches("tbd|todo|tba|tbc|wip|comingsoon|tobe[a-z]+")
                                || word.chars().noneMatch(Character::isLetterOrDigit)))
                // With these one begins, so a document just begun can be submitted.
                || (!slug.equals("abstract") && !slug.equals("motivation") && Scaffold.untouched(slug, line));
    }

    private Outline outline(Optional<Title> title) {
        Set<String> filled = new LinkedHashSet<>();
        parts.forEach(part -> {
            if (part.section().filled() && !part.section().slug().isEmpty()) {
                filled.add(part.section().slug());
            }
        });
        String words = title.map(Title::words)
                .filter(each -> !each.isEmpty())
                .or(() -> field(Key.TITLE).map(Field::value).filter(value -> !Value.nothing(value)))
                .orElse("");
        return new Outline(
                title.map(Title::number).filter(OptionalInt::isPresent).orElseGet(this::numberField),
                words,
                field(Key.STATUS).map(field -> Status.of(field).words()).flatMap(Value::word),
                field(Key.TYPE).flatMap(field -> Value.word(field.value())).map(DocumentReader::spelled),
                field(Key.AUTHORS).map(field -> Byline.read(field.all())).orElse(List.of()),
                field(Key.SPONSOR)
                        .filter(field -> !Value.nothing(field.all()))
                        .flatMap(field -> Byline.read(field.all()).stream().findFirst()),
                field(Key.CREATED).flatMap(field -> Value.word(field.value())),
                field(Key.DISCUSSION)
                        .flatMap(field -> Value.target(field.all()))
                        .or(() -> field(Key.ISSUE).flatMap(field -> Value.target(field.all()))),
                field(Key.PR).flatMap(field -> Value.target(field.value())),
                filled,
                new Links(links(Key.SUPERSEDES), links(Key.REPLACES), links(Key.REQUIRES), links(Key.SUPERSEDED_BY)),
                summary(words));
    }

    private OptionalInt numberField() {
        return field(Key.NUMBER)
                .map(field -> Value.proposals(field.value()))
                .filter(numbers -> numbers.size() == 1)
                .map(numbers -> OptionalInt.of(numbers.getFirst()))
                .orElse(OptionalInt.empty());
    }

    private List<Integer> links(Key key) {
        return field(key).map(field -> Value.proposals(field.all())).orElse(List.of());
    }

    private static String spelled(String type) {
        String words = type.replaceAll("[\\s_-]+", " ").strip();
        return TYPES.stream().filter(words::equalsIgnoreCase).findFirst().orElse(type);
    }

    /** The title is a line of its own: what is in it counts more. */
    private String summary(String title) {
        StringBuilder summary = new StringBuilder();
        for (Part part : parts) {
            if (part.section().slug().equals("abstract")
                    || part.section().slug().equals("motivation")) {
                for (int i = part.from(); i < part.to() && summary.length() < LONGEST_SUMMARY; i++) {
                    Line line = lines.all().get(i);
                    if (line.text()) {
                        int end = Math.min(line.end(), line.start() + LONGEST_SUMMARY);
                        summary.append(' ')
                                .append(Value.linkless(Plain.of(text, line.start(), end)
                                                .words())
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
