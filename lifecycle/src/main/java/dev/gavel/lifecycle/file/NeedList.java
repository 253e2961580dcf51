package dev.gavel.lifecycle.file;

import dev.gavel.lifecycle.process.Attribute;
import dev.gavel.lifecycle.process.Need;
import dev.gavel.yaml.Fields;
import dev.gavel.yaml.Node;
import dev.gavel.yaml.Problems;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads a list of needs, as moves have them. */
record NeedList(Names names, Map<String, Attribute> attributes, Problems problems) {
    List<Need> read(String key, Fields fields) {
        List<Need> needs = new ArrayList<>();
        fields.items(key).forEach(item -> read(item).ifPresent(needs::add));
        return needs;
    }

    private Optional<Need> read(Node item) {
        if (item instanceof Node.Scalar kind) {
            return names.find(Names.Sort.EVIDENCE, kind).map(Need.Given::new);
        }
        Fields fields = Fields.of(item, problems);
        List<Need> found = new ArrayList<>();
        fields.scalar("evidence")
                .flatMap(kind -> names.find(Names.Sort.EVIDENCE, kind))
                .ifPresent(kind -> found.add(new Need.Given(kind)));
        fields.scalar("fact")
                .flatMap(fact -> names.find(Names.Sort.FACT, fact))
                .ifPresent(fact -> found.add(new Need.Fact(fact)));
        fields.scalar("reached")
                .flatMap(kind -> names.find(Names.Sort.EVIDENCE, kind))
                .ifPresent(kind -> found.add(new Need.Reached(kind)));
        fields.scalar("here")
                .flatMap(kind -> names.find(Names.Sort.EVIDENCE, kind))
                .ifPresent(kind -> found.add(new Need.Here(kind, false)));
        fields.scalar("with")
                .flatMap(kind -> names.find(Names.Sort.EVIDENCE, kind))
                .ifPresent(kind -> found.add(new Need.Here(kind, true)));
        Optional<Duration> span = fields.duration("for");
        for (String key : List.of("vacant", "idle")) {
            fields.scalar(key)
                    .flatMap(role -> names.find(Names.Sort.ROLE, role))
                    .flatMap(role -> span.map(length ->
                            key.equals("vacant") ? new Need.Vacant(role, length) : new Need.Idle(role, length)))
                    .ifPresent(found::add);
            if (fields.node(key).isPresent() && fields.node("for").isEmpty()) {
                problems.add(fields.position(key), "'" + key + "' needs 'for': how long, such as 14 d");
            }
        }
        List<Need> choices = read("any", fields);
        if (!choices.isEmpty()) {
            found.add(new Need.Any(choices));
        } else if (fields.node("any").isPresent() && fields.items("any").isEmpty()) {
            problems.add(fields.position("any"), "any of nothing can never be met");
        }
        one(fields);
        Optional<Need> need = found.isEmpty() ? Optional.empty() : Optional.of(said(fields, found.getFirst()));
        for (Node.Entry when : fields.entries("when")) {
            need = when(when, need);
        }
        fields.done();
        return need;
    }

    private Need said(Fields fields, Need need) {
        Optional<Node.Scalar> says = fields.scalar("says");
        if (says.isEmpty()) {
            return need;
        }
        if (says.get().text().isBlank()) {
            problems.add(says.get().position(), "'says' must say something, or be left out");
            return need;
        }
        return new Need.Said(says.get().text(), need);
    }

    private void one(Fields fields) {
        List<String> keys = List.of("evidence", "here", "with", "fact", "reached", "vacant", "idle", "any").stream()
                .filter(key -> fields.node(key).isPresent())
                .toList();
        if (keys.isEmpty()) {
            problems.add(
                    fields.position(),
                    "a need is an evidence's name, or one of evidence, here, with, fact, reached, vacant, idle, any");
        } else if (keys.size() > 1) {
            problems.add(
                    fields.position(), "one need at a time: here are " + String.join(" and ", keys) + "; write two");
        }
    }

    private Optional<Need> when(Node.Entry when, Optional<Need> need) {
        Optional<String> name = names.find(Names.Sort.ATTRIBUTE, when.key());
        List<Node> values = when.value() instanceof Node.Sequence list ? list.items() : List.of(when.value());
        if (values.isEmpty()) {
            problems.add(
                    when.key().position(), "name the values of '" + when.key().text() + "' it is needed for");
        }
        LinkedHashSet<String> known = new LinkedHashSet<>();
        for (Node value : values) {
            if (value instanceof Node.Scalar scalar && !scalar.empty()) {
                known.add(scalar.text());
                Attribute attribute = attributes.get(when.key().text());
                if (attribute != null
                        && !attribute.values().isEmpty()
                        && !attribute.values().contains(scalar.text())) {
                    problems.add(
                            scalar.position(),
                            "'" + attribute.name() + "' is never '" + scalar.text() + "', only "
                                    + String.join(", ", attribute.values()));
                }
            } else {
                problems.add(value.position(), "a value belongs here, not " + value.description());
            }
        }
        return name.flatMap(attribute -> need.map(inner -> new Need.When(attribute, known, inner)));
    }
}
