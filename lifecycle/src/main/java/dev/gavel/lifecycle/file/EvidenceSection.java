package dev.gavel.lifecycle.file;

import dev.gavel.lifecycle.process.Attribute;
import dev.gavel.lifecycle.process.EvidenceKind;
import dev.gavel.lifecycle.process.EvidenceKind.Form;
import dev.gavel.lifecycle.process.EvidenceKind.Lasts;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.yaml.Fields;
import dev.gavel.yaml.Node;
import dev.gavel.yaml.Problems;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads what moves look at: {@code evidence}, {@code facts} and {@code attributes}. */
record EvidenceSection(Names names, Problems problems) {
    Map<String, EvidenceKind> evidence(Fields top) {
        Map<String, EvidenceKind> kinds = new LinkedHashMap<>();
        for (Node.Entry entry : top.entries("evidence")) {
            Fields fields = Fields.of(entry.value(), problems);
            String name = entry.key().text();
            fields.required("is");
            Optional<Form> form = fields.parsed("is", "'link', 'text', 'date' or 'tally'", text -> switch (text) {
                case "link" -> Optional.of(Form.LINK);
                case "text" -> Optional.of(Form.TEXT);
                case "date" -> Optional.of(Form.DATE);
                case "tally" -> Optional.of(Form.TALLY);
                default -> Optional.empty();
            });
            Optional<Lasts> lasts = fields.parsed("lasts", "'always', 'state' or 'move'", text -> switch (text) {
                case "always" -> Optional.of(Lasts.ALWAYS);
                case "state" -> Optional.of(Lasts.STATE);
                case "move" -> Optional.of(Lasts.MOVE);
                default -> Optional.empty();
            });
            List<String> who = names.who(fields.scalars("who"));
            String says = fields.string("says").orElse(name);
            fields.done();
            kinds.put(
                    name,
                    new EvidenceKind(
                            name,
                            form.orElse(Form.TEXT),
                            lasts.orElse(Lasts.ALWAYS),
                            says,
                            who.isEmpty() ? List.of(Role.ANYONE) : who));
        }
        return kinds;
    }

    Map<String, String> facts(Fields top) {
        Map<String, String> facts = new LinkedHashMap<>();
        for (Node.Entry entry : top.entries("facts")) {
            if (entry.value() instanceof Node.Scalar says && !says.empty()) {
                facts.put(entry.key().text(), says.text());
            } else {
                problems.add(
                        entry.key().position(),
                        "say in words what must be so for '" + entry.key().text() + "'");
            }
        }
        return facts;
    }

    Map<String, Attribute> attributes(Fields top) {
        Map<String, Attribute> attributes = new LinkedHashMap<>();
        for (Node.Entry entry : top.entries("attributes")) {
            Fields fields = Fields.of(entry.value(), problems);
            List<String> values = fields.strings("values");
            Optional<Node.Scalar> otherwise = fields.scalar("otherwise");
            otherwise
                    .filter(value -> !values.isEmpty() && !values.contains(value.text()))
                    .ifPresent(value -> problems.add(
                            value.position(),
                            "'" + value.text() + "' is none of the values of '"
                                    + entry.key().text() + "'"));
            fields.done();
            attributes.put(
                    entry.key().text(), new Attribute(entry.key().text(), values, otherwise.map(Node.Scalar::text)));
        }
        return attributes;
    }
}
