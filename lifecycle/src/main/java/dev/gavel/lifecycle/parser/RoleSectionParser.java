package dev.gavel.lifecycle.parser;

import dev.gavel.lifecycle.process.Role;
import dev.gavel.lifecycle.process.TextTemplate;
import dev.gavel.yaml.ProblemCollector;
import dev.gavel.yaml.YamlMappingReader;
import dev.gavel.yaml.YamlNode;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Parses the roles section of a process file, including which roles imply others. */
record RoleSectionParser(DeclaredNameResolver declaredNameResolver, ProblemCollector problemCollector) {
    Map<String, Role> parse(YamlMappingReader top) {
        Map<String, Role> roles = new LinkedHashMap<>();
        Map<String, List<String>> implies = new HashMap<>();
        for (YamlNode.Entry entry : top.entries("roles")) {
            YamlMappingReader yamlMappingReader = YamlMappingReader.of(entry.value(), problemCollector);
            String name = entry.key().text();
            Optional<Boolean> multipleHolders =
                    yamlMappingReader.parse("held", "'one' or 'several'", text -> switch (text) {
                        case "one" -> Optional.of(false);
                        case "several" -> Optional.of(true);
                        default -> Optional.empty();
                    });
            if (yamlMappingReader.node("held").isPresent()) {
                parseProposalRole(name, yamlMappingReader, multipleHolders.orElse(false))
                        .ifPresent(role -> roles.put(name, role));
            } else {
                implies.put(
                        name,
                        declaredNameResolver.resolveAll(
                                DeclaredNameResolver.NameType.ROLE, yamlMappingReader.scalars("implies")));
                roles.put(name, new Role.ActorRole(name, title(yamlMappingReader, article(name) + name), Set.of()));
            }
            yamlMappingReader.reportUnknownKeys();
        }
        implies.forEach((name, directlyImplied) -> {
            if (roles.get(name) instanceof Role.ActorRole role) {
                roles.put(name, new Role.ActorRole(name, role.title(), impliedRoles(name, implies, roles)));
            }
        });
        checkSingleProposer(top, roles);
        return roles;
    }

    private Optional<Role> parseProposalRole(
            String name, YamlMappingReader yamlMappingReader, boolean multipleHolders) {
        boolean proposer = yamlMappingReader.bool("proposer").orElse(false);
        boolean transferable = yamlMappingReader.bool("transfer").orElse(false);
        Optional<String> from = yamlMappingReader
                .scalar("from")
                .flatMap(role -> declaredNameResolver.resolve(DeclaredNameResolver.NameType.ROLE, role));
        Optional<List<String>> excludedRoles = declaredNameResolver.resolveExcludedRoles(yamlMappingReader);
        Map<String, TextTemplate> vacant = parseTexts("vacant", yamlMappingReader);
        String title = title(yamlMappingReader, "the " + name);
        if (proposer && yamlMappingReader.node("from").isPresent()) {
            problemCollector.add(
                    yamlMappingReader.position("from"),
                    "'" + name + "' is the role of the proposers and cannot have 'from'");
            return Optional.of(new Role.ProposalRole(
                    name, title, multipleHolders, true, Optional.empty(), Optional.empty(), transferable, vacant));
        }
        if (!proposer && yamlMappingReader.node("from").isEmpty()) {
            problemCollector.add(
                    declaredNameResolver.position(DeclaredNameResolver.NameType.ROLE, name),
                    "'" + name + "' can be vacant and needs 'from', the role whose members can take it");
            return Optional.empty();
        }
        return proposer || from.isPresent()
                ? Optional.of(new Role.ProposalRole(
                        name, title, multipleHolders, proposer, from, excludedRoles, transferable, vacant))
                : Optional.empty();
    }

    /** Parses guidance texts by the role of their reader. */
    Map<String, TextTemplate> parseTexts(String key, YamlMappingReader yamlMappingReader) {
        Map<String, TextTemplate> textTemplates = new LinkedHashMap<>();
        for (YamlNode.Entry entry : yamlMappingReader.entries(key)) {
            Optional<String> role = declaredNameResolver.resolveReaderRole(entry.key());
            if (entry.value() instanceof YamlNode.Scalar scalar) {
                declaredNameResolver
                        .parseText(scalar)
                        .ifPresent(textTemplate -> role.ifPresent(known -> textTemplates.put(known, textTemplate)));
            } else {
                problemCollector.add(
                        entry.value().position(),
                        "expected a text, not " + entry.value().description());
            }
        }
        return textTemplates;
    }

    /** All roles that a role implies, directly or indirectly; a cycle is a problem. */
    private Set<String> impliedRoles(String name, Map<String, List<String>> implies, Map<String, Role> roles) {
        Set<String> all = new LinkedHashSet<>();
        List<String> next = implies.getOrDefault(name, List.of());
        while (!next.isEmpty()) {
            List<String> newRoles = next.stream().filter(all::add).toList();
            next = newRoles.stream()
                    .flatMap(role -> implies.getOrDefault(role, List.of()).stream())
                    .toList();
        }
        if (all.contains(name)) {
            problemCollector.add(
                    declaredNameResolver.position(DeclaredNameResolver.NameType.ROLE, name),
                    "'" + name + "' implies itself");
        }
        for (String implied : all) {
            if (roles.get(implied) instanceof Role.ProposalRole) {
                problemCollector.add(
                        declaredNameResolver.position(DeclaredNameResolver.NameType.ROLE, name),
                        "'" + name + "' cannot imply '" + implied + "', which is held in a proposal");
            }
        }
        return all;
    }

    private void checkSingleProposer(YamlMappingReader top, Map<String, Role> roles) {
        List<String> proposers = roles.values().stream()
                .filter(role -> role instanceof Role.ProposalRole proposalRole && proposalRole.proposer())
                .map(Role::name)
                .toList();
        if (proposers.isEmpty()) {
            problemCollector.add(top.position("roles"), "one role must have 'proposer: yes'");
        } else if (proposers.size() > 1) {
            problemCollector.add(
                    declaredNameResolver.position(DeclaredNameResolver.NameType.ROLE, proposers.get(1)),
                    "only one role can have 'proposer: yes', and '" + proposers.getFirst() + "' already has it");
        }
    }

    private static String title(YamlMappingReader yamlMappingReader, String defaultTitle) {
        return yamlMappingReader.string("title").orElse(defaultTitle);
    }

    private static String article(String name) {
        return "aeiou".indexOf(name.charAt(0)) < 0 ? "a " : "an ";
    }
}
