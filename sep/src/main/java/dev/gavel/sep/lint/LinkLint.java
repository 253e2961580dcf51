package dev.gavel.sep.lint;

import dev.gavel.sep.document.Document;
import dev.gavel.sep.document.Key;
import dev.gavel.sep.document.Links;
import dev.gavel.sep.document.Outline;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/** The other proposals a document names: they must be there, and say the same. Not thread-safe. */
final class LinkLint {
    private final Document document;
    private final LintContext context;
    private final Findings findings;
    private final OptionalInt own;

    LinkLint(Document document, FileName name, LintContext context, Findings findings) {
        this.document = document;
        this.context = context;
        this.findings = findings;
        this.own = context.number().isPresent()
                ? context.number()
                : document.outline().number().isPresent() ? document.outline().number() : name.number();
    }

    void lint() {
        check(Key.SUPERSEDES, Links::supersedes, Optional.of(Key.SUPERSEDED_BY), Links::supersededBy);
        check(Key.SUPERSEDED_BY, Links::supersededBy, Optional.of(Key.SUPERSEDES), Links::supersedes);
        check(Key.REPLACES, Links::replaces, Optional.empty(), links -> List.of());
        check(Key.REQUIRES, Links::requires, Optional.empty(), links -> List.of());
    }

    private void check(
            Key key, Function<Links, List<Integer>> there, Optional<Key> backKey, Function<Links, List<Integer>> back) {
        document.field(key).ifPresent(field -> {
            List<Integer> numbers = there.apply(document.outline().links());
            // What is required need not be a proposal, and nothing may be said in as many words.
            if (numbers.isEmpty() && key != Key.REQUIRES && !document.nothing(field)) {
                findings.add(
                        Code.LINK_UNREADABLE,
                        field.valueSpot(),
                        "no proposal's number can be made out in " + Findings.quoted(field.all()),
                        "write 'SEP-' and the number");
            }
            for (int number : numbers) {
                if (own.isPresent() && own.getAsInt() == number) {
                    findings.add(
                            Code.LINK_SELF,
                            field.valueSpot(),
                            "it names itself: " + key.word() + " SEP-" + number,
                            "name the other proposal, or take the line out");
                } else if (context.others().isPresent()) {
                    Optional<Outline> other = context.others().get().apply(number);
                    other.ifPresentOrElse(
                            outline -> agree(key, there, backKey, back, number, outline),
                            () -> findings.add(
                                    Code.LINK_UNKNOWN,
                                    field.valueSpot(),
                                    "there is no SEP-" + number,
                                    "correct the number, or take it out"));
                }
            }
        });
    }

    private void agree(
            Key key,
            Function<Links, List<Integer>> there,
            Optional<Key> backKey,
            Function<Links, List<Integer>> back,
            int number,
            Outline other) {
        if (own.isEmpty()) {
            return;
        }
        if (there.apply(other.links()).contains(own.getAsInt())) {
            findings.add(
                    Code.LINK_CIRCULAR,
                    document.field(key).orElseThrow().valueSpot(),
                    "both say it of the other: SEP-" + own.getAsInt() + " and SEP-" + number + " " + key.word(),
                    "keep the line in one of them");
        } else if (backKey.isPresent() && !back.apply(other.links()).contains(own.getAsInt())) {
            findings.add(
                    Code.LINK_ONE_SIDED,
                    document.field(key).orElseThrow().valueSpot(),
                    key.word() + " SEP-" + number + ", but SEP-" + number + " does not say so",
                    "add '- **" + backKey.get().word() + "**: SEP-" + own.getAsInt() + "' to SEP-" + number);
        }
    }
}
