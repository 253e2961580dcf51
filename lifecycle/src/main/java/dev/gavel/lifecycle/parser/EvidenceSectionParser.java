package dev.gavel.lifecycle.parser;

import dev.gavel.lifecycle.process.AttributeDefinition;
import dev.gavel.lifecycle.process.EvidenceDefinition;
import dev.gavel.lifecycle.process.EvidenceDefinition.Format;
import dev.gavel.lifecycle.process.EvidenceDefinition.Validity;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.yaml.ProblemCollector;
import dev.gavel.yaml.YamlMappingReader;
import dev.gavel.yaml.YamlNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Parses the evidence, facts and attributes sections of a process file. */
record EvidenceSectionParser(DeclaredNameResolver declaredNameResolver, ProblemCollector problemCollector) {
    Map<String, EvidenceDefinition> parseEvidence(YamlMappingReader top) {
        Map<String, EvidenceDefinition> kinds = new LinkedHashMap<>();
        for (YamlNode.Entry entry : top.entries("evidence")) {
            YamlMappingReader yamlMappingReader = YamlMappingReader.of(entry.value(), problemCollector);
            String name = entry.key().text();
            yamlMappingReader.requiredNode("is");
            Optional<Format> format = yamlMappingReader.parse(
                    "is", "'link', 'text', 'date', 'decision', 'tally' or 'lost-tally'", text -> switch (text) {
                        case "link" -> Optional.of(Format.LINK);
                        case "text" -> Optional.of(Format.TEXT);
                        case "date" -> Optional.of(Format.DATE);
                        case "decision" -> Optional.of(Format.DECISION);
                        case "tally" -> Optional.of(Format.TALLY);
                        case "lost-tally" -> Optional.of(Format.LOST_TALLY);
                        default -> Optional.empty();
                    });
            Optional<Validity> validity =
                    yamlMappingReader.parse("lasts", "'always', 'state' or 'move'", text -> switch (text) {
                        case "always" -> Optional.of(Validity.ALWAYS);
                        case "state" -> Optional.of(Validity.STATE);
                        case "move" -> Optional.of(Validity.MOVE);
                        default -> Optional.empty();
                    });
            List<String> who = declaredNameResolver.resolveRoles(yamlMappingReader.scalars("who"));
            Optional<String> confirmingRole = yamlMappingReader
                    .scalar("confirmed-by")
                    .flatMap(role -> declaredNameResolver.resolve(DeclaredNameResolver.NameType.ROLE, role));
            Optional<List<String>> excludedRoles = declaredNameResolver.resolveExcludedRoles(yamlMappingReader);
            String says = yamlMappingReader.string("says").orElse(name);
            yamlMappingReader.reportUnknownKeys();
            kinds.put(
                    name,
                    new EvidenceDefinition(
                            name,
                            format.orElse(Format.TEXT),
                            validity.orElse(Validity.ALWAYS),
                            says,
                            who.isEmpty() ? List.of(Role.ANYONE) : who,
                            confirmingRole,
                            excludedRoles));
        }
        return kinds;
    }

    Map<String, String> parseFacts(YamlMappingReader top) {
        Map<String, String> facts = new LinkedHashMap<>();
        for (YamlNode.Entry entry : top.entries("facts")) {
            if (entry.value() instanceof YamlNode.Scalar says && !says.isEmpty()) {
                facts.put(entry.key().text(), says.text());
            } else {
                problemCollector.add(
                        entry.key().position(), "the fact '" + entry.key().text() + "' needs a description");
            }
        }
        return facts;
    }

    Map<String, AttributeDefinition> parseAttributes(YamlMappingReader top) {
        Map<String, AttributeDefinition> attributes = new LinkedHashMap<>();
        for (YamlNode.Entry entry : top.entries("attributes")) {
            YamlMappingReader yamlMappingReader = YamlMappingReader.of(entry.value(), problemCollector);
            List<String> values = yamlMappingReader.strings("values");
            Optional<YamlNode.Scalar> otherwise = yamlMappingReader.scalar("otherwise");
            otherwise
                    .filter(value -> !values.isEmpty() && !values.contains(value.text()))
                    .ifPresent(value -> problemCollector.add(
                            value.position(),
                            "'" + value.text() + "' is not one of the values of '"
                                    + entry.key().text() + "'"));
            yamlMappingReader.reportUnknownKeys();
            attributes.put(
                    entry.key().text(),
                    new AttributeDefinition(entry.key().text(), values, otherwise.map(YamlNode.Scalar::text)));
        }
        return attributes;
    }
}
