package dev.gavel.sep.lint;

import dev.gavel.lifecycle.process.Attribute;
import dev.gavel.lifecycle.process.Need;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.sep.document.Document;
import dev.gavel.sep.document.Field;
import dev.gavel.sep.document.Key;
import dev.gavel.sep.document.Outline;
import dev.gavel.yaml.Nearest;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The lines of the preamble. Not thread-safe. */
final class FieldLint {
    private final Document document;
    private final Outline outline;
    private final LintContext context;
    private final Process process;
    private final Standing standing;
    private final Findings findings;

    FieldLint(Document document, LintContext context, Findings findings) {
        this.document = document;
        this.outline = document.outline();
        this.context = context;
        this.process = context.process();
        this.standing = new Standing(document, context);
        this.findings = findings;
    }

    void lint() {
        duplicates();
        status();
        type();
        authors();
        sponsor();
        new DateLint(document, findings).lint();
        pr();
        discussion();
    }

    private void duplicates() {
        Map<Key, Field> first = new EnumMap<>(Key.class);
        for (Field field : document.fields()) {
            Field earlier = first.putIfAbsent(field.key(), field);
            // Several discussions or issues are no contradiction.
            if (earlier != null && field.key() != Key.DISCUSSION && field.key() != Key.ISSUE) {
                findings.add(
                        Code.FIELD_DUPLICATE,
                        field.spot(),
                        field.key().word() + " is said twice: here, and on line "
                                + earlier.spot().line() + ", which counts",
                        "keep one of them");
            }
        }
    }

    private void status() {
        Optional<Field> field = document.field(Key.STATUS);
        if (field.isEmpty()) {
            findings.add(
                    Code.STATUS_MISSING,
                    findings.preamble(),
                    "it has no Status; it is taken for " + standing.state(),
                    "add a line '- **Status**: " + capital(standing.state()) + "' below the title");
            return;
        }
        Optional<String> said = standing.said();
        if (outline.status().isEmpty()) {
            findings.add(
                    Code.STATUS_PLACEHOLDER,
                    field.get().valueSpot(),
                    "its Status says nothing yet; it is taken for " + standing.state(),
                    "write '" + capital(standing.state()) + "'");
        } else if (said.isEmpty()) {
            String word = outline.status().get();
            findings.add(
                    Code.STATUS_UNKNOWN,
                    field.get().valueSpot(),
                    Findings.quoted(word) + " is no state of the process " + process.name(),
                    nearest(word, words())
                            .orElse("use one of: "
                                    + String.join(", ", process.states().keySet())));
        } else if (context.kept().isPresent() && !said.get().equals(standing.state())) {
            findings.add(
                    Code.STATUS_DIFFERS,
                    field.get().valueSpot(),
                    "its Status says " + Findings.quoted(outline.status().get()) + ", but the ledger says "
                            + standing.state(),
                    "the ledger counts: export the document, which writes the right word");
        }
    }

    private List<String> words() {
        return Stream.concat(
                        process.states().keySet().stream(),
                        process.aliases().stream().map(alias -> alias.word()))
                .toList();
    }

    private void type() {
        Attribute attribute = process.attributes().get("type");
        if (attribute == null || attribute.values().isEmpty()) {
            return;
        }
        if (outline.type().isEmpty()) {
            findings.add(
                    Code.TYPE_MISSING,
                    document.field(Key.TYPE).map(Field::valueSpot).orElseGet(findings::preamble),
                    "it has no Type"
                            + attribute
                                    .otherwise()
                                    .map(word -> "; it is taken for " + word)
                                    .orElse(""),
                    "add a line '- **Type**: …' with one of: " + String.join(", ", attribute.values()));
            return;
        }
        String word = outline.type().get();
        if (attribute.spelling(word).isEmpty()) {
            findings.add(
                    Code.TYPE_UNKNOWN,
                    document.field(Key.TYPE).orElseThrow().valueSpot(),
                    Findings.quoted(word) + " is no type of proposal",
                    type(word, attribute.values()).orElse("use one of: " + String.join(", ", attribute.values())));
        }
    }

    /** The first word is what people remember of a type. */
    private static Optional<String> type(String word, List<String> values) {
        return nearest(word, values)
                .or(() -> values.stream()
                        .filter(value -> Nearest.to(
                                        word.toLowerCase(Locale.ROOT),
                                        List.of(value.toLowerCase(Locale.ROOT).replaceAll(" .*", "")))
                                .isPresent())
                        .findFirst()
                        .map(value -> "did you mean '" + value + "'?"));
    }

    private void authors() {
        Optional<Field> field = document.field(Key.AUTHORS);
        if (outline.authors().isEmpty()) {
            boolean said = field.filter(each -> !each.all().isBlank()
                            && each.all()
                                            .codePoints()
                                            .filter(Character::isLetter)
                                            .count()
                                    > 12)
                    .isPresent();
            findings.add(
                    said ? Code.AUTHOR_UNREADABLE : Code.AUTHOR_MISSING,
                    field.map(Field::valueSpot).orElseGet(findings::preamble),
                    said
                            ? "no author can be made out in "
                                    + Findings.quoted(field.orElseThrow().all())
                            : "it names no author",
                    "write '- **Author(s)**: Name (@handle), …'");
            return;
        }
        List<String> nameless = outline.authors().stream()
                .filter(author -> author.handle().isEmpty())
                .map(author -> author.name().orElse(""))
                .toList();
        if (!nameless.isEmpty()) {
            findings.add(
                    Code.AUTHOR_HANDLE,
                    field.orElseThrow().valueSpot(),
                    "there is no handle of " + Findings.quoted(String.join(", ", nameless)),
                    "write 'Name (@handle)', by which they are known and told what happens to it");
        }
    }

    private void sponsor() {
        document.field(Key.SPONSOR).ifPresent(field -> {
            int sponsors = document.sponsors().size();
            if (sponsors > 1) {
                findings.add(
                        Code.SPONSOR_SEVERAL,
                        field.valueSpot(),
                        "it names " + sponsors + " sponsors; the first counts",
                        "name one sponsor; the others can be thanked elsewhere");
            } else if (sponsors == 0 && !document.unsponsored()) {
                findings.add(
                        Code.SPONSOR_UNREADABLE,
                        field.valueSpot(),
                        "no sponsor can be made out in " + Findings.quoted(field.all()),
                        "write 'Name (@handle)', or 'None' while it has none");
            }
        });
    }

    private void pr() {
        document.field(Key.PR).ifPresent(field -> {
            if (outline.pr().isEmpty()) {
                findings.add(
                        Code.PR_PLACEHOLDER,
                        field.valueSpot(),
                        "its PR is a placeholder",
                        "write the pull request's address or '#' and its number once there is one");
            } else if (outline.pr().get().chars().noneMatch(Character::isDigit)) {
                findings.add(
                        Code.PR_UNREADABLE,
                        field.valueSpot(),
                        Findings.quoted(outline.pr().get()) + " leads to no pull request",
                        "write the pull request's address or '#' and its number");
            }
        });
    }

    /** Only where the process wants to be told where it was discussed, and while it still helps. */
    private void discussion() {
        String kind = Key.DISCUSSION.word().toLowerCase(Locale.ROOT);
        boolean wanted = Stream.concat(process.start().advises().stream(), process.start().needs().stream())
                .anyMatch(
                        need -> need instanceof Need.Given given && given.kind().equals(kind));
        if (wanted && outline.discussion().isEmpty() && standing.open()) {
            findings.add(
                    Code.DISCUSSION_MISSING,
                    document.field(Key.DISCUSSION).map(Field::valueSpot).orElseGet(findings::preamble),
                    "it does not say where it was discussed",
                    "discuss the idea first, and add a line '- **Discussion**: https://…'");
        }
    }

    private static boolean asks(Need need, String kind) {
        return switch (need) {
            case Need.Given given -> given.kind().equals(kind);
            case Need.Here here -> here.kind().equals(kind);
            case Need.Said said -> asks(said.need(), kind);
            case Need.When when -> asks(when.need(), kind);
            case Need.Any any -> any.choices().stream().anyMatch(choice -> asks(choice, kind));
            case Need.Fact fact -> false;
            case Need.Reached reached -> false;
            case Need.Vacant vacant -> false;
            case Need.Idle idle -> false;
        };
    }

    private static Optional<String> nearest(String word, List<String> known) {
        return Nearest.to(
                        word.toLowerCase(Locale.ROOT),
                        known.stream()
                                .map(each -> each.toLowerCase(Locale.ROOT))
                                .toList())
                .map(near -> known.stream()
                        .filter(near::equalsIgnoreCase)
                        .findFirst()
                        .orElse(near))
                .map(near -> "did you mean '" + near + "'?");
    }

    private static String capital(String word) {
        return word.isEmpty() ? word : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
    }
}
