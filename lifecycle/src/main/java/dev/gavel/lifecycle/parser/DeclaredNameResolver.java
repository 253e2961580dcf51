package dev.gavel.lifecycle.parser;

import dev.gavel.lifecycle.process.Role;
import dev.gavel.lifecycle.process.TextTemplate;
import dev.gavel.yaml.ProblemCollector;
import dev.gavel.yaml.SourcePosition;
import dev.gavel.yaml.WordSuggester;
import dev.gavel.yaml.YamlMappingReader;
import dev.gavel.yaml.YamlNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Records the names that a process file declares and resolves references to them; reports unknown names with a
 * suggestion. Not thread-safe.
 */
final class DeclaredNameResolver {
    /** The types of named elements in a process file. */
    enum NameType {
        ROLE("roles", "role"),
        ATTRIBUTE("attributes", "attribute"),
        EVIDENCE("evidence", "evidence"),
        FACT("facts", "fact"),
        STATE("states", "state");

        private final String section;
        private final String label;

        NameType(String section, String word) {
            this.section = section;
            this.label = word;
        }
    }

    /** In the source of a move: every state that is not an end. */
    static final String ANY_STATE = "any";

    /** In a clock: those who must act. */
    static final String MUST_ACT = "must-act";

    /** In an exclusion: no role. */
    private static final String NO_ROLE = "none";

    private static final Set<String> RESERVED = Set.of(Role.ANYONE, Role.SYSTEM, ANY_STATE, MUST_ACT, NO_ROLE);
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]*");

    /** The types that texts refer to in braces; a name must therefore be unique across them. */
    private static final List<NameType> IN_TEXTS = List.of(NameType.ROLE, NameType.ATTRIBUTE, NameType.EVIDENCE);

    private final ProblemCollector problemCollector;
    private final Map<NameType, Map<String, SourcePosition>> positions = new EnumMap<>(NameType.class);

    DeclaredNameResolver(YamlMappingReader top, ProblemCollector problemCollector) {
        this.problemCollector = problemCollector;
        for (NameType nameType : NameType.values()) {
            Map<String, SourcePosition> names = new LinkedHashMap<>();
            positions.put(nameType, names);
            top.entries(nameType.section).forEach(entry -> declare(nameType, names, entry.key()));
        }
    }

    private void declare(NameType nameType, Map<String, SourcePosition> names, YamlNode.Scalar name) {
        if (!NAME.matcher(name.text()).matches()) {
            reportProblem(
                    name, "'" + name.text() + "' is not a valid name; use lower-case letters, digits and hyphens");
        } else if (RESERVED.contains(name.text())
                || (IN_TEXTS.contains(nameType) && TextTemplate.PLACEHOLDERS.contains(name.text()))) {
            reportProblem(
                    name, "'" + name.text() + "' is reserved and cannot be the name of " + article(nameType.label));
        }
        for (NameType other : IN_TEXTS) {
            if (other != nameType && IN_TEXTS.contains(nameType) && names(other).contains(name.text())) {
                reportProblem(name, "'" + name.text() + "' is already the name of " + article(other.label));
            }
        }
        // An invalid name is declared all the same, so that references to it are not reported too.
        names.put(name.text(), name.position());
    }

    /** The declared names of a type, in the order of the file. */
    Set<String> names(NameType nameType) {
        return positions.getOrDefault(nameType, Map.of()).keySet();
    }

    /** The position at which a name is declared. */
    SourcePosition position(NameType nameType, String name) {
        SourcePosition position = positions.getOrDefault(nameType, Map.of()).get(name);
        if (position == null) {
            throw new IllegalArgumentException("no " + nameType.label + " '" + name + "'");
        }
        return position;
    }

    /** Returns the declared name, or reports a problem if there is none. */
    Optional<String> resolve(NameType nameType, YamlNode.Scalar reference) {
        return resolve(nameType.label, names(nameType), reference);
    }

    /** Returns the declared names without duplicates, and reports unknown ones. */
    List<String> resolveAll(NameType nameType, List<YamlNode.Scalar> references) {
        return references.stream()
                .map(reference -> resolve(nameType, reference))
                .flatMap(Optional::stream)
                .distinct()
                .toList();
    }

    /** Resolves roles, including {@code anyone} and {@code system}. */
    List<String> resolveRoles(List<YamlNode.Scalar> references) {
        List<String> roles = new ArrayList<>(names(NameType.ROLE));
        roles.add(Role.ANYONE);
        roles.add(Role.SYSTEM);
        return references.stream()
                .map(reference -> resolve(NameType.ROLE.label, roles, reference))
                .flatMap(Optional::stream)
                .distinct()
                .toList();
    }

    /**
     * Resolves the roles in {@code not}, whose holders take no part; empty if the key is absent. {@code none} means no
     * role.
     */
    Optional<List<String>> resolveExcludedRoles(YamlMappingReader yamlMappingReader) {
        List<YamlNode.Scalar> roles = yamlMappingReader.scalars("not");
        if (yamlMappingReader.node("not").isEmpty()) {
            return Optional.empty();
        }
        boolean none = roles.size() == 1 && roles.getFirst().text().equals(NO_ROLE);
        return Optional.of(none ? List.of() : resolveAll(NameType.ROLE, roles));
    }

    /** Resolves the role of a reader of guidance, which may be {@code anyone}. */
    Optional<String> resolveReaderRole(YamlNode.Scalar reference) {
        List<String> roles = new ArrayList<>(names(NameType.ROLE));
        roles.add(Role.ANYONE);
        return resolve(NameType.ROLE.label, roles, reference);
    }

    /** Parses a text; its placeholders must be known. */
    Optional<TextTemplate> parseText(YamlNode.Scalar scalar) {
        if (scalar.text().isBlank()) {
            reportProblem(scalar, "a text must not be empty");
            return Optional.empty();
        }
        TextTemplate textTemplate = new TextTemplate(scalar.text());
        List<String> placeholders = new ArrayList<>(TextTemplate.PLACEHOLDERS);
        placeholders.addAll(names(NameType.ROLE));
        placeholders.addAll(names(NameType.ATTRIBUTE));
        placeholders.addAll(names(NameType.EVIDENCE));
        for (String placeholder : textTemplate.placeholders()) {
            if (!placeholders.contains(placeholder)) {
                reportProblem(
                        scalar, "unknown placeholder {" + placeholder + "}" + suggestion(placeholder, placeholders));
            }
        }
        return Optional.of(textTemplate);
    }

    private Optional<String> resolve(String word, Collection<String> names, YamlNode.Scalar reference) {
        if (names.contains(reference.text())) {
            return Optional.of(reference.text());
        }
        reportProblem(
                reference, "there is no " + word + " '" + reference.text() + "'" + suggestion(reference.text(), names));
        return Optional.empty();
    }

    private static String suggestion(String word, Collection<String> names) {
        return WordSuggester.suggest(word, names)
                .map(near -> ". Did you mean '" + near + "'?")
                .orElse(names.isEmpty() ? "" : ". Known: " + String.join(", ", names));
    }

    private static String article(String word) {
        return word.equals("evidence") ? word : ("aeiou".indexOf(word.charAt(0)) < 0 ? "a " : "an ") + word;
    }

    private void reportProblem(YamlNode.Scalar at, String message) {
        problemCollector.add(at.position(), message);
    }
}
