package dev.gavel.lifecycle.file;

import dev.gavel.lifecycle.process.Role;
import dev.gavel.lifecycle.process.Text;
import dev.gavel.yaml.Fields;
import dev.gavel.yaml.Node;
import dev.gavel.yaml.Problems;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads {@code roles}. */
record RoleSection(Names names, Problems problems) {
    Map<String, Role> read(Fields top) {
        Map<String, Role> roles = new LinkedHashMap<>();
        Map<String, List<String>> implies = new HashMap<>();
        for (Node.Entry entry : top.entries("roles")) {
            Fields fields = Fields.of(entry.value(), problems);
            String name = entry.key().text();
            Optional<Boolean> several = fields.parsed("held", "'one' or 'several'", text -> switch (text) {
                case "one" -> Optional.of(false);
                case "several" -> Optional.of(true);
                default -> Optional.empty();
            });
            if (fields.node("held").isPresent()) {
                held(name, fields, several.orElse(false)).ifPresent(role -> roles.put(name, role));
            } else {
                implies.put(name, names.findAll(Names.Sort.ROLE, fields.scalars("implies")));
                roles.put(name, new Role.Brought(name, title(fields, article(name) + name), Set.of()));
            }
            fields.done();
        }
        implies.forEach((name, direct) -> {
            if (roles.get(name) instanceof Role.Brought role) {
                roles.put(name, new Role.Brought(name, role.title(), closure(name, implies, roles)));
            }
        });
        oneProposer(top, roles);
        return roles;
    }

    private Optional<Role> held(String name, Fields fields, boolean several) {
        boolean proposer = fields.bool("proposer").orElse(false);
        boolean transfer = fields.bool("transfer").orElse(false);
        Optional<String> from = fields.scalar("from").flatMap(role -> names.find(Names.Sort.ROLE, role));
        Map<String, Text> vacant = texts("vacant", fields);
        String title = title(fields, "the " + name);
        if (proposer && fields.node("from").isPresent()) {
            problems.add(fields.position("from"), "'" + name + "' comes with proposing; it is taken from nobody");
            return Optional.of(new Role.Held(name, title, several, true, Optional.empty(), transfer, vacant));
        }
        if (!proposer && fields.node("from").isEmpty()) {
            problems.add(
                    names.position(Names.Sort.ROLE, name),
                    "'" + name + "' can be vacant: say with 'from' which role's bearers may take it");
            return Optional.empty();
        }
        return proposer || from.isPresent()
                ? Optional.of(new Role.Held(name, title, several, proposer, from, transfer, vacant))
                : Optional.empty();
    }

    /** Texts by the role of whoever reads them. */
    Map<String, Text> texts(String key, Fields fields) {
        Map<String, Text> texts = new LinkedHashMap<>();
        for (Node.Entry entry : fields.entries(key)) {
            Optional<String> role = names.reader(entry.key());
            if (entry.value() instanceof Node.Scalar scalar) {
                names.text(scalar).ifPresent(text -> role.ifPresent(known -> texts.put(known, text)));
            } else {
                problems.add(
                        entry.value().position(),
                        "a text belongs here, not " + entry.value().description());
            }
        }
        return texts;
    }

    /** All that a role implies, by whatever way; where a way leads back, that is a problem. */
    private Set<String> closure(String name, Map<String, List<String>> implies, Map<String, Role> roles) {
        Set<String> all = new LinkedHashSet<>();
        List<String> next = implies.getOrDefault(name, List.of());
        while (!next.isEmpty()) {
            List<String> fresh = next.stream().filter(all::add).toList();
            next = fresh.stream()
                    .flatMap(role -> implies.getOrDefault(role, List.of()).stream())
                    .toList();
        }
        if (all.contains(name)) {
            problems.add(names.position(Names.Sort.ROLE, name), "'" + name + "' implies itself");
        }
        for (String implied : all) {
            if (roles.get(implied) instanceof Role.Held) {
                problems.add(
                        names.position(Names.Sort.ROLE, name),
                        "'" + name + "' cannot imply '" + implied + "', which is held in each proposal");
            }
        }
        return all;
    }

    private void oneProposer(Fields top, Map<String, Role> roles) {
        List<String> proposers = roles.values().stream()
                .filter(role -> role instanceof Role.Held held && held.proposer())
                .map(Role::name)
                .toList();
        if (proposers.isEmpty()) {
            problems.add(top.position("roles"), "one role must be 'proposer: yes', the role of whoever proposes");
        } else if (proposers.size() > 1) {
            problems.add(
                    names.position(Names.Sort.ROLE, proposers.get(1)),
                    "'" + proposers.getFirst() + "' is the proposer's role already; only one can be");
        }
    }

    private static String title(Fields fields, String otherwise) {
        return fields.string("title").orElse(otherwise);
    }

    private static String article(String name) {
        return "aeiou".indexOf(name.charAt(0)) < 0 ? "a " : "an ";
    }
}
