package dev.gavel.lifecycle.parser;

import dev.gavel.lifecycle.process.StateDefinition;
import dev.gavel.lifecycle.process.StateDefinition.Kind;
import dev.gavel.lifecycle.process.TextTemplate;
import dev.gavel.yaml.ProblemCollector;
import dev.gavel.yaml.YamlMappingReader;
import dev.gavel.yaml.YamlNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Parses the states section of a process file: each state's status text, the roles that must act, and guidance by role.
 */
record StateSectionParser(DeclaredNameResolver declaredNameResolver, ProblemCollector problemCollector) {
    Map<String, StateDefinition> parse(YamlMappingReader top) {
        top.requiredNode("states");
        Map<String, StateDefinition> states = new LinkedHashMap<>();
        for (YamlNode.Entry entry : top.entries("states")) {
            YamlMappingReader yamlMappingReader = YamlMappingReader.of(entry.value(), problemCollector);
            parse(entry.key(), yamlMappingReader).ifPresent(state -> states.put(state.name(), state));
            yamlMappingReader.reportUnknownKeys();
        }
        return states;
    }

    private Optional<StateDefinition> parse(YamlNode.Scalar name, YamlMappingReader yamlMappingReader) {
        Kind kind = yamlMappingReader
                .parse("is", "'open', 'settled' or 'end'", text -> switch (text) {
                    case "open" -> Optional.of(Kind.OPEN);
                    case "settled" -> Optional.of(Kind.SETTLED);
                    case "end" -> Optional.of(Kind.END);
                    default -> Optional.empty();
                })
                .orElse(Kind.OPEN);
        Optional<TextTemplate> status = yamlMappingReader.scalar("status").flatMap(declaredNameResolver::parseText);
        if (yamlMappingReader.node("status").isEmpty()) {
            problemCollector.add(
                    name.position(), "'" + name.text() + "' needs 'status', a text that describes the state");
        }
        List<StateDefinition.Turn> turns = parseTurns(yamlMappingReader);
        List<String> requiredRoles = declaredNameResolver.resolveAll(
                DeclaredNameResolver.NameType.ROLE, yamlMappingReader.scalars("staffed"));
        List<String> awaitedRoles =
                declaredNameResolver.resolveAll(DeclaredNameResolver.NameType.ROLE, yamlMappingReader.scalars("waits"));
        Map<String, TextTemplate> guidance =
                new RoleSectionParser(declaredNameResolver, problemCollector).parseTexts("guidance", yamlMappingReader);
        if (kind == Kind.OPEN && yamlMappingReader.items("act").isEmpty()) {
            problemCollector.add(
                    name.position(),
                    "'" + name.text()
                            + "' needs 'act', the role that must act; or make the state 'is: settled' or 'is: end'");
        }
        if (kind != Kind.OPEN && yamlMappingReader.node("act").isPresent()) {
            problemCollector.add(
                    yamlMappingReader.position("act"), "'" + name.text() + "' is not open and cannot have 'act'");
        }
        return (kind == Kind.OPEN) == turns.isEmpty()
                ? Optional.empty()
                : status.map(textTemplate -> new StateDefinition(
                        name.text(), kind, textTemplate, turns, requiredRoles, awaitedRoles, guidance));
    }

    private List<StateDefinition.Turn> parseTurns(YamlMappingReader yamlMappingReader) {
        List<StateDefinition.Turn> turns = new ArrayList<>();
        List<YamlNode> items = yamlMappingReader.items("act");
        for (YamlNode item : items) {
            boolean last = item.equals(items.getLast());
            switch (item) {
                case YamlNode.Scalar role ->
                    declaredNameResolver.resolveReaderRole(role).ifPresent(known -> {
                        turns.add(new StateDefinition.Turn(known, new LinkedHashSet<>()));
                        if (!last) {
                            problemCollector.add(
                                    role.position(),
                                    "the turn of '" + known
                                            + "' never ends; add 'until' with the evidence that ends it");
                        }
                    });
                default -> parseTurn(item, last).ifPresent(turns::add);
            }
        }
        return turns;
    }

    private Optional<StateDefinition.Turn> parseTurn(YamlNode item, boolean last) {
        YamlMappingReader yamlMappingReader = YamlMappingReader.of(item, problemCollector);
        yamlMappingReader.requiredNode("role");
        Optional<String> role = yamlMappingReader.scalar("role").flatMap(declaredNameResolver::resolveReaderRole);
        List<String> untilEvidence = declaredNameResolver.resolveAll(
                DeclaredNameResolver.NameType.EVIDENCE, yamlMappingReader.scalars("until"));
        if (last && !untilEvidence.isEmpty()) {
            problemCollector.add(yamlMappingReader.position("until"), "the last role in 'act' cannot have 'until'");
        }
        if (!last && yamlMappingReader.items("until").isEmpty()) {
            problemCollector.add(
                    yamlMappingReader.position(), "the turn never ends; add 'until' with the evidence that ends it");
        }
        yamlMappingReader.reportUnknownKeys();
        return role.map(known -> new StateDefinition.Turn(known, new LinkedHashSet<>(untilEvidence)));
    }
}
