package dev.gavel.lifecycle.parser;

import dev.gavel.lifecycle.process.DocumentFormat;
import dev.gavel.lifecycle.process.DocumentFormat.FileRules;
import dev.gavel.lifecycle.process.DocumentFormat.Markup;
import dev.gavel.lifecycle.process.DocumentFormat.NumberSource;
import dev.gavel.lifecycle.process.DocumentFormat.PreambleForm;
import dev.gavel.lifecycle.process.DocumentFormat.PreambleRules;
import dev.gavel.lifecycle.process.DocumentFormat.SectionRule;
import dev.gavel.lifecycle.process.DocumentFormat.TitleSource;
import dev.gavel.lifecycle.process.FilePattern;
import dev.gavel.lifecycle.process.PreambleKey;
import dev.gavel.yaml.ProblemCollector;
import dev.gavel.yaml.WordSuggester;
import dev.gavel.yaml.YamlMappingReader;
import dev.gavel.yaml.YamlNode;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Parses the document section of a process file. Keys that the section leaves out have the values of the default format.
 *
 * @param startState the state in which a submitted proposal begins
 * @param types the types of proposals that the process knows
 */
record DocumentSectionParser(
        DeclaredNameResolver declaredNameResolver,
        Optional<String> startState,
        List<String> types,
        ProblemCollector problemCollector) {
    private static final String DOCUMENT = "document";
    private static final String PREFIX = "{prefix}";
    private static final String NUMBER = "{number}";

    /** The mappings whose single keys have defaults. A user replaces every other value as a whole. */
    private static final Set<String> MERGED = Set.of(DOCUMENT, "preamble", "keys");

    private static final Pattern PREFIX_FORM = Pattern.compile("[A-Za-z][A-Za-z0-9 -]{0,19}");
    /** A date that a pattern must be able to write and read again. */
    private static final LocalDate SAMPLE_DATE = LocalDate.of(2026, 11, 19);

    private static final Pattern FILE_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    Optional<DocumentFormat> parse(YamlMappingReader top) {
        YamlNode defaults = DefaultDocumentFormat.node();
        YamlNode node = top.node(DOCUMENT).map(own -> merge(own, defaults)).orElse(defaults);
        YamlMappingReader section = YamlMappingReader.of(node, problemCollector);
        String prefix = section.parse(
                        "prefix",
                        "a word such as RFC, of at most 20 letters and digits",
                        text -> Optional.of(text).filter(PREFIX_FORM.asMatchPredicate()))
                .orElse("");
        Function<String, String> named = text -> text.replace(PREFIX, prefix);
        Optional<String> label = section.parse(
                        "label",
                        "a text with " + NUMBER + ", such as \"" + PREFIX + "-" + NUMBER + "\"",
                        text -> Optional.of(text).filter(word -> word.contains(NUMBER) && word.length() <= 50))
                .map(named);
        Markup markup = word(section, "markup", Markup.values()).orElse(Markup.MARKDOWN);
        FileRules files = parseFiles(section);
        List<TitleSource> titleSources = section.mapping("title")
                .map(title -> {
                    List<TitleSource> sources = words(title.scalars("from"), TitleSource.values());
                    title.reportUnknownKeys();
                    return sources;
                })
                .orElse(List.of());
        NumberRules numbers = parseNumber(section);
        PreambleRules preamble = parsePreamble(section, numbers.labels(), named);
        Optional<String> statusOtherwise = parseStatus(section);
        List<SectionRule> sections = new ArrayList<>();
        section.items("sections").forEach(item -> parseSection(item, named).ifPresent(sections::add));
        List<String> dates = section.scalars("dates").stream()
                .filter(this::isDatePattern)
                .map(YamlNode.Scalar::text)
                .toList();
        if (section.items("dates").isEmpty()) {
            problemCollector.add(section.position("dates"), "'dates' needs at least one pattern such as yyyy-MM-dd");
        }
        List<String> disabledLintCodes = section.strings("lint-disable");
        Optional<String> template = section.parse(
                "template",
                "the name of a file in the directory of the process file",
                text -> Optional.of(text).filter(FILE_NAME.asMatchPredicate()));
        section.reportUnknownKeys();
        return label.map(text -> new DocumentFormat(
                prefix,
                text,
                markup,
                files,
                titleSources,
                numbers.sources(),
                preamble,
                statusOtherwise,
                sections,
                types,
                dates,
                disabledLintCodes,
                template,
                Optional.empty()));
    }

    /** The sources of the number, and the labels of the preamble field with the number. */
    private record NumberRules(List<NumberSource> sources, List<String> labels) {}

    /** Returns the entries of a mapping, and those of the defaults that it leaves out. */
    private static YamlNode merge(YamlNode own, YamlNode defaults) {
        if (!(own instanceof YamlNode.Mapping mapping) || !(defaults instanceof YamlNode.Mapping defaultMapping)) {
            return own;
        }
        Map<String, YamlNode.Entry> merged = new LinkedHashMap<>();
        defaultMapping.entries().forEach(entry -> merged.put(entry.key().text(), entry));
        for (YamlNode.Entry entry : mapping.entries()) {
            String key = entry.key().text();
            YamlNode.Entry before = merged.get(key);
            merged.put(
                    key,
                    before != null && MERGED.contains(key)
                            ? new YamlNode.Entry(entry.key(), merge(entry.value(), before.value()))
                            : entry);
        }
        return new YamlNode.Mapping(mapping.position(), List.copyOf(merged.values()));
    }

    private FileRules parseFiles(YamlMappingReader section) {
        if (!(section.node("files").orElse(null) instanceof YamlNode.Mapping mapping)) {
            return new FileRules(patterns(section.scalars("files")), List.of(), List.of());
        }
        YamlMappingReader files = YamlMappingReader.of(mapping, problemCollector);
        files.requiredNode("documents");
        List<FilePattern> documents = patterns(files.scalars("documents"));
        List<FilePattern> exclude = patterns(files.scalars("exclude"));
        List<String> preambleFiles = new ArrayList<>();
        for (YamlNode.Entry side : files.entries("side")) {
            boolean named = FILE_NAME.matcher(side.key().text()).matches();
            if (!named
                    || !(side.value() instanceof YamlNode.Scalar use)
                    || !use.text().equals("preamble")) {
                problemCollector.add(
                        side.key().position(),
                        "expected the name of a file beside the document and 'preamble', such as 'kep.yaml: preamble'");
            } else {
                preambleFiles.add(side.key().text());
            }
        }
        files.reportUnknownKeys();
        return new FileRules(documents, exclude, preambleFiles);
    }

    private List<FilePattern> patterns(List<YamlNode.Scalar> texts) {
        List<FilePattern> patterns = new ArrayList<>();
        for (YamlNode.Scalar text : texts) {
            if (text.text().length() > 200
                    || List.of(text.text().split("[/\\\\]")).contains("..")) {
                problemCollector.add(
                        text.position(), "expected a pattern such as seps/*.md, of at most 200 characters, without ..");
            } else {
                patterns.add(new FilePattern(text.text()));
            }
        }
        return patterns;
    }

    private NumberRules parseNumber(YamlMappingReader section) {
        List<NumberSource> sources = new ArrayList<>();
        List<String> labels = new ArrayList<>();
        section.mapping("number").ifPresent(number -> {
            for (YamlNode item : number.items("from")) {
                if (item instanceof YamlNode.Mapping) {
                    YamlMappingReader preamble = YamlMappingReader.of(item, problemCollector);
                    labels.addAll(preamble.strings("preamble"));
                    preamble.reportUnknownKeys();
                    sources.add(NumberSource.PREAMBLE);
                } else if (item instanceof YamlNode.Scalar scalar) {
                    sources.addAll(words(List.of(scalar), NumberSource.values()));
                } else {
                    problemCollector.add(item.position(), "expected a source of the number, not " + item.description());
                }
            }
            number.reportUnknownKeys();
        });
        return new NumberRules(sources, labels);
    }

    private Optional<String> parseStatus(YamlMappingReader section) {
        return section.mapping("status").flatMap(status -> {
            Optional<YamlNode.Scalar> otherwise = status.scalar("otherwise");
            status.reportUnknownKeys();
            return otherwise.flatMap(state -> declaredNameResolver.resolve(DeclaredNameResolver.NameType.STATE, state));
        });
    }

    private PreambleRules parsePreamble(
            YamlMappingReader section, List<String> numberLabels, Function<String, String> named) {
        List<PreambleForm> forms = new ArrayList<>();
        List<String> headings = new ArrayList<>();
        Map<PreambleKey, List<String>> labels = new EnumMap<>(PreambleKey.class);
        section.mapping("preamble").ifPresent(preamble -> {
            forms.addAll(words(preamble.scalars("forms"), PreambleForm.values()));
            headings.addAll(preamble.strings("headings").stream().map(named).toList());
            preamble.mapping("keys").ifPresent(keys -> {
                for (PreambleKey key : PreambleKey.values()) {
                    List<String> words =
                            keys.strings(key.wireName()).stream().map(named).toList();
                    if (!words.isEmpty()) {
                        labels.put(key, words);
                    }
                }
                keys.reportUnknownKeys();
            });
            preamble.reportUnknownKeys();
        });
        if (!numberLabels.isEmpty()) {
            labels.put(PreambleKey.NUMBER, numberLabels.stream().map(named).toList());
        }
        return new PreambleRules(forms, labels, headings);
    }

    private Optional<SectionRule> parseSection(YamlNode item, Function<String, String> named) {
        if (item instanceof YamlNode.Scalar name && !name.isEmpty()) {
            return Optional.of(new SectionRule(
                    named.apply(name.text()),
                    List.of(),
                    List.of(),
                    Optional.empty(),
                    false,
                    false,
                    Optional.empty(),
                    List.of()));
        }
        YamlMappingReader section = YamlMappingReader.of(item, problemCollector);
        Optional<String> name = section.requiredString("name").map(named);
        List<String> synonyms = section.strings("also").stream().map(named).toList();
        List<String> words = section.strings("words").stream()
                .map(word -> word.toLowerCase(Locale.ROOT))
                .toList();
        Optional<YamlNode.Scalar> needed = section.scalar("needed");
        Optional<String> neededFrom = needed.flatMap(state -> switch (state.text()) {
            case "submission" -> startState;
            case "no" -> Optional.empty();
            default -> declaredNameResolver.resolve(DeclaredNameResolver.NameType.STATE, state);
        });
        boolean placeholder = section.bool("placeholder").orElse(false);
        Optional<String> hint = section.string("hint").map(named);
        List<String> earlierHints = section.strings("earlier-hints");
        section.reportUnknownKeys();
        return name.map(heading -> new SectionRule(
                heading,
                synonyms,
                words,
                neededFrom,
                needed.filter(state -> state.text().equals("no")).isPresent(),
                placeholder,
                hint,
                earlierHints));
    }

    private boolean isDatePattern(YamlNode.Scalar pattern) {
        boolean valid;
        try {
            DateTimeFormatter formatter = DateTimeFormatter.ofPattern(pattern.text(), Locale.ENGLISH);
            valid = LocalDate.parse(formatter.format(SAMPLE_DATE), formatter).equals(SAMPLE_DATE);
        } catch (IllegalArgumentException | DateTimeException e) {
            valid = false;
        }
        if (!valid) {
            problemCollector.add(
                    pattern.position(), "'" + pattern.text() + "' is not the pattern of a date, such as yyyy-MM-dd");
        }
        return valid;
    }

    private <E extends Enum<E>> Optional<E> word(YamlMappingReader section, String key, E[] values) {
        return section.scalar(key).flatMap(scalar -> word(scalar, values));
    }

    private <E extends Enum<E>> List<E> words(List<YamlNode.Scalar> scalars, E[] values) {
        return scalars.stream()
                .flatMap(scalar -> word(scalar, values).stream())
                .distinct()
                .toList();
    }

    private <E extends Enum<E>> Optional<E> word(YamlNode.Scalar scalar, E[] values) {
        Map<String, E> known = Arrays.stream(values)
                .collect(Collectors.toMap(
                        value -> value.name().toLowerCase(Locale.ROOT).replace('_', '-'),
                        Function.identity(),
                        (one, other) -> one,
                        LinkedHashMap::new));
        E found = known.get(scalar.text());
        if (found == null) {
            problemCollector.add(
                    scalar.position(),
                    "unknown word '" + scalar.text() + "'. "
                            + WordSuggester.suggest(scalar.text(), known.keySet())
                                    .map(near -> "Did you mean '" + near + "'?")
                                    .orElseGet(() -> "Use one of: " + String.join(", ", known.keySet())));
        }
        return Optional.ofNullable(found);
    }
}
