package dev.gavel.lifecycle.file;

import dev.gavel.lifecycle.process.Move;
import dev.gavel.lifecycle.process.Need;
import dev.gavel.lifecycle.process.State;
import dev.gavel.yaml.Fields;
import dev.gavel.yaml.Node;
import dev.gavel.yaml.Position;
import dev.gavel.yaml.Problems;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.stream.Collectors;

/** Reads {@code start} and {@code moves}. */
record MoveSection(Names names, NeedList needList, Map<String, State> states, Problems problems) {
    /** A move and where it stands. */
    record Placed(Move move, Position position) {}

    Optional<Placed> start(Fields top) {
        return top.required("start").flatMap(node -> {
            Fields fields = Fields.of(node, problems);
            Optional<Placed> start = move(fields, new LinkedHashSet<>());
            for (String key : List.of("takes", "drops")) {
                if (fields.node(key).isPresent()) {
                    problems.add(fields.position(key), "a proposal begins with its proposers alone: no '" + key + "'");
                }
            }
            fields.done();
            return start.map(placed -> new Placed(placed.move(), top.position("start")));
        });
    }

    List<Placed> moves(Fields top) {
        top.required("moves");
        List<Placed> moves = new ArrayList<>();
        for (Node item : top.items("moves")) {
            Fields fields = Fields.of(item, problems);
            fields.required("from");
            move(fields, from(fields)).ifPresent(moves::add);
            fields.done();
        }
        ambiguous(moves);
        return moves;
    }

    private Optional<Placed> move(Fields fields, SequencedSet<String> from) {
        fields.required("to");
        Optional<String> to = fields.scalar("to").flatMap(state -> names.find(Names.Sort.STATE, state));
        fields.required("who");
        List<String> who = names.who(fields.scalars("who"));
        List<Need> needs = needList.read("needs", fields);
        List<Need> advises = needList.read("advises", fields);
        Optional<String> takes = fields.scalar("takes").flatMap(role -> names.find(Names.Sort.ROLE, role));
        List<String> drops = names.findAll(Names.Sort.ROLE, fields.scalars("drops"));
        return who.isEmpty()
                ? Optional.empty()
                : to.map(target ->
                        new Placed(new Move(from, target, who, needs, advises, takes, drops), fields.position()));
    }

    private SequencedSet<String> from(Fields fields) {
        List<Node.Scalar> words = fields.scalars("from");
        List<String> except = names.findAll(Names.Sort.STATE, fields.scalars("except"));
        boolean any = words.size() == 1 && words.getFirst().text().equals(Names.ANY);
        if (!any) {
            if (fields.node("except").isPresent()) {
                problems.add(fields.position("except"), "'except' goes with 'from: any'");
            }
            for (Node.Scalar word : words) {
                State state = states.get(word.text());
                if (state != null && state.end()) {
                    problems.add(word.position(), "'" + word.text() + "' is an end: no move leads on from it");
                }
            }
            return new LinkedHashSet<>(names.findAll(Names.Sort.STATE, words));
        }
        SequencedSet<String> all = states.values().stream()
                .filter(state -> !state.end())
                .map(State::name)
                .collect(Collectors.toCollection(LinkedHashSet::new));
        all.removeAll(except);
        fields.string("to").ifPresent(all::remove);
        return all;
    }

    private void ambiguous(List<Placed> moves) {
        Map<String, Position> seen = new HashMap<>();
        for (Placed placed : moves) {
            String to = placed.move().to();
            for (String from : placed.move().from()) {
                if (from.equals(to)) {
                    problems.add(placed.position(), "the move from '" + from + "' leads back to where it starts");
                }
                Position earlier = seen.putIfAbsent(from + " " + to, placed.position());
                if (earlier != null) {
                    problems.add(
                            placed.position(),
                            "line " + earlier.line() + " has a move from '" + from + "' to '" + to
                                    + "' already; which one would be meant?");
                }
            }
        }
    }
}
