package dev.gavel.lifecycle.parser;

import dev.gavel.lifecycle.process.AttributeDefinition;
import dev.gavel.lifecycle.process.MoveRequirement;
import dev.gavel.yaml.ProblemCollector;
import dev.gavel.yaml.YamlMappingReader;
import dev.gavel.yaml.YamlNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Parses the list of requirements for a move from one state to another in a process file. */
record RequirementListParser(
        DeclaredNameResolver declaredNameResolver,
        Map<String, AttributeDefinition> attributes,
        ProblemCollector problemCollector) {
    List<MoveRequirement> parse(String key, YamlMappingReader yamlMappingReader) {
        List<MoveRequirement> moveRequirements = new ArrayList<>();
        yamlMappingReader.items(key).forEach(item -> parse(item).ifPresent(moveRequirements::add));
        return moveRequirements;
    }

    private Optional<MoveRequirement> parse(YamlNode item) {
        if (item instanceof YamlNode.Scalar kind) {
            return declaredNameResolver
                    .resolve(DeclaredNameResolver.NameType.EVIDENCE, kind)
                    .map(MoveRequirement.EvidenceGiven::new);
        }
        YamlMappingReader yamlMappingReader = YamlMappingReader.of(item, problemCollector);
        List<MoveRequirement> found = new ArrayList<>();
        yamlMappingReader
                .scalar("evidence")
                .flatMap(kind -> declaredNameResolver.resolve(DeclaredNameResolver.NameType.EVIDENCE, kind))
                .ifPresent(kind -> found.add(new MoveRequirement.EvidenceGiven(kind)));
        yamlMappingReader
                .scalar("fact")
                .flatMap(fact -> declaredNameResolver.resolve(DeclaredNameResolver.NameType.FACT, fact))
                .ifPresent(fact -> found.add(new MoveRequirement.FactHolds(fact)));
        yamlMappingReader
                .scalar("reached")
                .flatMap(kind -> declaredNameResolver.resolve(DeclaredNameResolver.NameType.EVIDENCE, kind))
                .ifPresent(kind -> found.add(new MoveRequirement.DateReached(kind)));
        yamlMappingReader
                .scalar("here")
                .flatMap(kind -> declaredNameResolver.resolve(DeclaredNameResolver.NameType.EVIDENCE, kind))
                .ifPresent(kind -> found.add(new MoveRequirement.EvidenceInState(kind, false)));
        yamlMappingReader
                .scalar("with")
                .flatMap(kind -> declaredNameResolver.resolve(DeclaredNameResolver.NameType.EVIDENCE, kind))
                .ifPresent(kind -> found.add(new MoveRequirement.EvidenceInState(kind, true)));
        Optional<Duration> span = yamlMappingReader.duration("for");
        for (String key : List.of("vacant", "idle")) {
            yamlMappingReader
                    .scalar(key)
                    .flatMap(role -> declaredNameResolver.resolve(DeclaredNameResolver.NameType.ROLE, role))
                    .flatMap(role -> span.map(length -> key.equals("vacant")
                            ? new MoveRequirement.RoleVacant(role, length)
                            : new MoveRequirement.RoleIdle(role, length)))
                    .ifPresent(found::add);
            if (yamlMappingReader.node(key).isPresent()
                    && yamlMappingReader.node("for").isEmpty()) {
                problemCollector.add(
                        yamlMappingReader.position(key), "'" + key + "' needs 'for' with a duration such as 14 d");
            }
        }
        List<MoveRequirement> choices = parse("any", yamlMappingReader);
        if (!choices.isEmpty()) {
            found.add(new MoveRequirement.AnyOf(choices));
        } else if (yamlMappingReader.node("any").isPresent()
                && yamlMappingReader.items("any").isEmpty()) {
            problemCollector.add(yamlMappingReader.position("any"), "'any' needs at least one requirement");
        }
        checkSingleKey(yamlMappingReader);
        Optional<MoveRequirement> moveRequirement =
                found.isEmpty() ? Optional.empty() : Optional.of(withDescription(yamlMappingReader, found.getFirst()));
        for (YamlNode.Entry when : yamlMappingReader.entries("when")) {
            moveRequirement = withCondition(when, moveRequirement);
        }
        yamlMappingReader.reportUnknownKeys();
        return moveRequirement;
    }

    private MoveRequirement withDescription(YamlMappingReader yamlMappingReader, MoveRequirement moveRequirement) {
        Optional<YamlNode.Scalar> says = yamlMappingReader.scalar("says");
        if (says.isEmpty()) {
            return moveRequirement;
        }
        if (says.get().text().isBlank()) {
            problemCollector.add(says.get().position(), "'says' must not be empty");
            return moveRequirement;
        }
        return new MoveRequirement.WithDescription(says.get().text(), moveRequirement);
    }

    private void checkSingleKey(YamlMappingReader yamlMappingReader) {
        List<String> keys = List.of("evidence", "here", "with", "fact", "reached", "vacant", "idle", "any").stream()
                .filter(key -> yamlMappingReader.node(key).isPresent())
                .toList();
        if (keys.isEmpty()) {
            problemCollector.add(
                    yamlMappingReader.position(),
                    "a requirement must be the name of evidence or have one of the keys evidence, here, with, fact,"
                            + " reached, vacant, idle, any");
        } else if (keys.size() > 1) {
            problemCollector.add(
                    yamlMappingReader.position(),
                    "a requirement cannot combine " + String.join(" and ", keys) + "; write one requirement for each");
        }
    }

    private Optional<MoveRequirement> withCondition(YamlNode.Entry when, Optional<MoveRequirement> moveRequirement) {
        Optional<String> name = declaredNameResolver.resolve(DeclaredNameResolver.NameType.ATTRIBUTE, when.key());
        List<YamlNode> values = when.value() instanceof YamlNode.Sequence list ? list.items() : List.of(when.value());
        if (values.isEmpty()) {
            problemCollector.add(
                    when.key().position(),
                    "'when' needs at least one value of '" + when.key().text() + "'");
        }
        LinkedHashSet<String> known = new LinkedHashSet<>();
        for (YamlNode value : values) {
            if (value instanceof YamlNode.Scalar scalar && !scalar.isEmpty()) {
                known.add(scalar.text());
                AttributeDefinition attribute = attributes.get(when.key().text());
                if (attribute != null
                        && !attribute.values().isEmpty()
                        && !attribute.values().contains(scalar.text())) {
                    problemCollector.add(
                            scalar.position(),
                            "'" + scalar.text() + "' is not one of the values of '" + attribute.name() + "': "
                                    + String.join(", ", attribute.values()));
                }
            } else {
                problemCollector.add(value.position(), "expected a value, not " + value.description());
            }
        }
        return name.flatMap(
                attribute -> moveRequirement.map(inner -> new MoveRequirement.ForAttribute(attribute, known, inner)));
    }
}
