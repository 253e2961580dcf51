package dev.gavel.lifecycle.file;

import dev.gavel.lifecycle.process.State;
import dev.gavel.lifecycle.process.State.Kind;
import dev.gavel.lifecycle.process.Text;
import dev.gavel.yaml.Fields;
import dev.gavel.yaml.Node;
import dev.gavel.yaml.Problems;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads {@code states}. */
record StateSection(Names names, Problems problems) {
    Map<String, State> read(Fields top) {
        top.required("states");
        Map<String, State> states = new LinkedHashMap<>();
        for (Node.Entry entry : top.entries("states")) {
            Fields fields = Fields.of(entry.value(), problems);
            read(entry.key(), fields).ifPresent(state -> states.put(state.name(), state));
            fields.done();
        }
        return states;
    }

    private Optional<State> read(Node.Scalar name, Fields fields) {
        Kind kind = fields.parsed("is", "'open', 'settled' or 'end'", text -> switch (text) {
                    case "open" -> Optional.of(Kind.OPEN);
                    case "settled" -> Optional.of(Kind.SETTLED);
                    case "end" -> Optional.of(Kind.END);
                    default -> Optional.empty();
                })
                .orElse(Kind.OPEN);
        Optional<Text> status = fields.scalar("status").flatMap(names::text);
        if (fields.node("status").isEmpty()) {
            problems.add(name.position(), "'" + name.text() + "' needs a 'status': how things are there, in words");
        }
        List<State.Turn> turns = turns(fields);
        List<String> staffed = names.findAll(Names.Sort.ROLE, fields.scalars("staffed"));
        List<String> waits = names.findAll(Names.Sort.ROLE, fields.scalars("waits"));
        Map<String, Text> guidance = new RoleSection(names, problems).texts("guidance", fields);
        if (kind == Kind.OPEN && fields.items("act").isEmpty()) {
            problems.add(
                    name.position(),
                    "nobody must act in '" + name.text()
                            + "': say who with 'act', or make it 'is: settled' or 'is: end'");
        }
        if (kind != Kind.OPEN && fields.node("act").isPresent()) {
            problems.add(fields.position("act"), "nobody must act in '" + name.text() + "', since it is not open");
        }
        return (kind == Kind.OPEN) == turns.isEmpty()
                ? Optional.empty()
                : status.map(text -> new State(name.text(), kind, text, turns, staffed, waits, guidance));
    }

    private List<State.Turn> turns(Fields fields) {
        List<State.Turn> turns = new ArrayList<>();
        List<Node> items = fields.items("act");
        for (Node item : items) {
            boolean last = item.equals(items.getLast());
            switch (item) {
                case Node.Scalar role ->
                    names.reader(role).ifPresent(known -> {
                        turns.add(new State.Turn(known, new LinkedHashSet<>()));
                        if (!last) {
                            problems.add(
                                    role.position(),
                                    "the turn never passes on from '" + known
                                            + "': say with 'until' what evidence ends it");
                        }
                    });
                default -> turn(item, last).ifPresent(turns::add);
            }
        }
        return turns;
    }

    private Optional<State.Turn> turn(Node item, boolean last) {
        Fields fields = Fields.of(item, problems);
        fields.required("role");
        Optional<String> role = fields.scalar("role").flatMap(names::reader);
        List<String> until = names.findAll(Names.Sort.EVIDENCE, fields.scalars("until"));
        if (last && !until.isEmpty()) {
            problems.add(
                    fields.position("until"), "the last to act has no 'until', or a time comes when nobody must act");
        }
        if (!last && fields.items("until").isEmpty()) {
            problems.add(fields.position(), "the turn never passes on: say with 'until' what evidence ends it");
        }
        fields.done();
        return role.map(known -> new State.Turn(known, new LinkedHashSet<>(until)));
    }
}
