package dev.gavel.lifecycle.parser;

import dev.gavel.lifecycle.process.MoveDefinition;
import dev.gavel.lifecycle.process.MoveRequirement;
import dev.gavel.lifecycle.process.StateDefinition;
import dev.gavel.yaml.ProblemCollector;
import dev.gavel.yaml.SourcePosition;
import dev.gavel.yaml.YamlMappingReader;
import dev.gavel.yaml.YamlNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.stream.Collectors;

/** Parses the start and moves sections of a process file and reports ambiguous moves. */
record MoveSectionParser(
        DeclaredNameResolver declaredNameResolver,
        RequirementListParser requirementListParser,
        Map<String, StateDefinition> states,
        ProblemCollector problemCollector) {
    /** A move with its position in the file. */
    record PositionedMove(MoveDefinition moveDefinition, SourcePosition position) {}

    Optional<PositionedMove> parseStart(YamlMappingReader top) {
        return top.requiredNode("start").flatMap(node -> {
            YamlMappingReader yamlMappingReader = YamlMappingReader.of(node, problemCollector);
            Optional<PositionedMove> start = parseMove(yamlMappingReader, new LinkedHashSet<>());
            for (String key : List.of("takes", "drops")) {
                if (yamlMappingReader.node(key).isPresent()) {
                    problemCollector.add(yamlMappingReader.position(key), "'start' cannot have '" + key + "'");
                }
            }
            yamlMappingReader.reportUnknownKeys();
            return start.map(
                    positionedMove -> new PositionedMove(positionedMove.moveDefinition(), top.position("start")));
        });
    }

    List<PositionedMove> parseMoves(YamlMappingReader top) {
        top.requiredNode("moves");
        List<PositionedMove> moves = new ArrayList<>();
        for (YamlNode item : top.items("moves")) {
            YamlMappingReader yamlMappingReader = YamlMappingReader.of(item, problemCollector);
            yamlMappingReader.requiredNode("from");
            parseMove(yamlMappingReader, parseFrom(yamlMappingReader)).ifPresent(moves::add);
            yamlMappingReader.reportUnknownKeys();
        }
        reportAmbiguousMoves(moves);
        return moves;
    }

    private Optional<PositionedMove> parseMove(YamlMappingReader yamlMappingReader, SequencedSet<String> from) {
        yamlMappingReader.requiredNode("to");
        Optional<String> to = yamlMappingReader
                .scalar("to")
                .flatMap(state -> declaredNameResolver.resolve(DeclaredNameResolver.NameType.STATE, state));
        yamlMappingReader.requiredNode("who");
        List<String> allowedRoles = declaredNameResolver.resolveRoles(yamlMappingReader.scalars("who"));
        Optional<List<String>> excludedRoles = declaredNameResolver.resolveExcludedRoles(yamlMappingReader);
        List<MoveRequirement> moveRequirements = requirementListParser.parse("needs", yamlMappingReader);
        List<MoveRequirement> recommendations = requirementListParser.parse("advises", yamlMappingReader);
        Optional<String> takenRole = yamlMappingReader
                .scalar("takes")
                .flatMap(role -> declaredNameResolver.resolve(DeclaredNameResolver.NameType.ROLE, role));
        List<String> droppedRoles =
                declaredNameResolver.resolveAll(DeclaredNameResolver.NameType.ROLE, yamlMappingReader.scalars("drops"));
        return allowedRoles.isEmpty()
                ? Optional.empty()
                : to.map(target -> new PositionedMove(
                        new MoveDefinition(
                                from,
                                target,
                                allowedRoles,
                                excludedRoles,
                                moveRequirements,
                                recommendations,
                                takenRole,
                                droppedRoles),
                        yamlMappingReader.position()));
    }

    private SequencedSet<String> parseFrom(YamlMappingReader yamlMappingReader) {
        List<YamlNode.Scalar> words = yamlMappingReader.scalars("from");
        List<String> excludedStates = declaredNameResolver.resolveAll(
                DeclaredNameResolver.NameType.STATE, yamlMappingReader.scalars("except"));
        boolean anyState = words.size() == 1 && words.getFirst().text().equals(DeclaredNameResolver.ANY_STATE);
        if (!anyState) {
            if (yamlMappingReader.node("except").isPresent()) {
                problemCollector.add(yamlMappingReader.position("except"), "'except' is allowed only with 'from: any'");
            }
            for (YamlNode.Scalar word : words) {
                StateDefinition state = states.get(word.text());
                if (state != null && state.isEnd()) {
                    problemCollector.add(
                            word.position(), "'" + word.text() + "' is an end state; no move can leave it");
                }
            }
            return new LinkedHashSet<>(declaredNameResolver.resolveAll(DeclaredNameResolver.NameType.STATE, words));
        }
        SequencedSet<String> all = states.values().stream()
                .filter(state -> !state.isEnd())
                .map(StateDefinition::name)
                .collect(Collectors.toCollection(LinkedHashSet::new));
        all.removeAll(excludedStates);
        yamlMappingReader.string("to").ifPresent(all::remove);
        return all;
    }

    private void reportAmbiguousMoves(List<PositionedMove> moves) {
        Map<String, SourcePosition> seen = new HashMap<>();
        for (PositionedMove positionedMove : moves) {
            String to = positionedMove.moveDefinition().to();
            for (String from : positionedMove.moveDefinition().from()) {
                if (from.equals(to)) {
                    problemCollector.add(
                            positionedMove.position(), "the move from '" + from + "' leads back to '" + to + "'");
                }
                SourcePosition earlier = seen.putIfAbsent(from + " " + to, positionedMove.position());
                if (earlier != null) {
                    problemCollector.add(
                            positionedMove.position(),
                            "line " + earlier.line() + " already has a move from '" + from + "' to '" + to + "'");
                }
            }
        }
    }
}
