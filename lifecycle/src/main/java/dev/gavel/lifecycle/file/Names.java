package dev.gavel.lifecycle.file;

import dev.gavel.lifecycle.process.Role;
import dev.gavel.lifecycle.process.Text;
import dev.gavel.yaml.Fields;
import dev.gavel.yaml.Nearest;
import dev.gavel.yaml.Node;
import dev.gavel.yaml.Position;
import dev.gavel.yaml.Problems;
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
 * The names a process file gives to things, read before anything refers to them, so that sections may stand in any
 * order. Not thread-safe.
 */
final class Names {
    /** A sort of thing that has a name. */
    enum Sort {
        ROLE("roles", "role"),
        ATTRIBUTE("attributes", "attribute"),
        EVIDENCE("evidence", "evidence"),
        FACT("facts", "fact"),
        STATE("states", "state");

        private final String section;
        private final String word;

        Sort(String section, String word) {
            this.section = section;
            this.word = word;
        }
    }

    /** Stands for every state that is no end, where a move says whence. */
    static final String ANY = "any";

    /** Stands for whoever must act, in a clock. */
    static final String MUST_ACT = "must-act";

    private static final Set<String> RESERVED = Set.of(Role.ANYONE, Role.SYSTEM, ANY, MUST_ACT);
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]*");

    /** What texts name in braces; so no two of these share a name. */
    private static final List<Sort> IN_TEXTS = List.of(Sort.ROLE, Sort.ATTRIBUTE, Sort.EVIDENCE);

    private final Problems problems;
    private final Map<Sort, Map<String, Position>> known = new EnumMap<>(Sort.class);

    Names(Fields top, Problems problems) {
        this.problems = problems;
        for (Sort sort : Sort.values()) {
            Map<String, Position> names = new LinkedHashMap<>();
            known.put(sort, names);
            top.entries(sort.section).forEach(entry -> declare(sort, names, entry.key()));
        }
    }

    private void declare(Sort sort, Map<String, Position> names, Node.Scalar name) {
        if (!NAME.matcher(name.text()).matches()) {
            complain(name, "'" + name.text() + "' is no name: use small letters, digits and hyphens");
        } else if (RESERVED.contains(name.text())
                || (IN_TEXTS.contains(sort) && Text.PLACEHOLDERS.contains(name.text()))) {
            complain(name, "'" + name.text() + "' has a meaning of its own and cannot name " + article(sort.word));
        }
        for (Sort other : IN_TEXTS) {
            if (other != sort && IN_TEXTS.contains(sort) && names(other).contains(name.text())) {
                complain(name, "'" + name.text() + "' is " + article(other.word) + " already");
            }
        }
        // A name complained of is still known, lest whatever refers to it be complained of too.
        names.put(name.text(), name.position());
    }

    /** Everything of a sort, in the order of the file. */
    Set<String> names(Sort sort) {
        return known.getOrDefault(sort, Map.of()).keySet();
    }

    /** Where a name was given. */
    Position position(Sort sort, String name) {
        Position position = known.getOrDefault(sort, Map.of()).get(name);
        if (position == null) {
            throw new IllegalArgumentException("no " + sort.word + " '" + name + "'");
        }
        return position;
    }

    /** The name referred to; a problem where there is none such. */
    Optional<String> find(Sort sort, Node.Scalar reference) {
        return find(sort.word, names(sort), reference);
    }

    /** The names referred to. */
    List<String> findAll(Sort sort, List<Node.Scalar> references) {
        return references.stream()
                .map(reference -> find(sort, reference))
                .flatMap(Optional::stream)
                .distinct()
                .toList();
    }

    /** The roles referred to, among them anyone and the process itself. */
    List<String> who(List<Node.Scalar> references) {
        List<String> roles = new ArrayList<>(names(Sort.ROLE));
        roles.add(Role.ANYONE);
        roles.add(Role.SYSTEM);
        return references.stream()
                .map(reference -> find(Sort.ROLE.word, roles, reference))
                .flatMap(Optional::stream)
                .distinct()
                .toList();
    }

    /** A role referred to as somebody to be told something, which may be anyone. */
    Optional<String> reader(Node.Scalar reference) {
        List<String> roles = new ArrayList<>(names(Sort.ROLE));
        roles.add(Role.ANYONE);
        return find(Sort.ROLE.word, roles, reference);
    }

    /** A text, whose placeholders must be known. */
    Optional<Text> text(Node.Scalar scalar) {
        if (scalar.text().isBlank()) {
            complain(scalar, "a text must say something");
            return Optional.empty();
        }
        Text text = new Text(scalar.text());
        List<String> placeholders = new ArrayList<>(Text.PLACEHOLDERS);
        placeholders.addAll(names(Sort.ROLE));
        placeholders.addAll(names(Sort.ATTRIBUTE));
        placeholders.addAll(names(Sort.EVIDENCE));
        for (String placeholder : text.placeholders()) {
            if (!placeholders.contains(placeholder)) {
                complain(
                        scalar,
                        "the text names {" + placeholder + "}, which is nothing known"
                                + meant(placeholder, placeholders));
            }
        }
        return Optional.of(text);
    }

    private Optional<String> find(String word, Collection<String> names, Node.Scalar reference) {
        if (names.contains(reference.text())) {
            return Optional.of(reference.text());
        }
        complain(reference, "there is no " + word + " '" + reference.text() + "'" + meant(reference.text(), names));
        return Optional.empty();
    }

    private static String meant(String word, Collection<String> names) {
        return Nearest.to(word, names)
                .map(near -> "; did you mean '" + near + "'?")
                .orElse(names.isEmpty() ? "" : "; known: " + String.join(", ", names));
    }

    private static String article(String word) {
        return word.equals("evidence") ? word : ("aeiou".indexOf(word.charAt(0)) < 0 ? "a " : "an ") + word;
    }

    private void complain(Node.Scalar at, String message) {
        problems.add(at.position(), message);
    }
}
