package dev.gavel.lifecycle.parser;

import dev.gavel.lifecycle.process.StateAlias;
import dev.gavel.yaml.ProblemCollector;
import dev.gavel.yaml.YamlMappingReader;
import dev.gavel.yaml.YamlNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Parses the aliases section of a process file, which defines alternative names for states. */
record AliasSectionParser(DeclaredNameResolver declaredNameResolver, ProblemCollector problemCollector) {
    List<StateAlias> parse(YamlMappingReader top) {
        List<StateAlias> aliases = new ArrayList<>();
        for (YamlNode.Entry entry : top.entries("aliases")) {
            String word = entry.key().text();
            switch (entry.value()) {
                case YamlNode.Scalar state ->
                    declaredNameResolver
                            .resolve(DeclaredNameResolver.NameType.STATE, state)
                            .ifPresent(found -> aliases.add(new StateAlias(word, found, Optional.empty())));
                case YamlNode other -> {
                    YamlMappingReader yamlMappingReader = YamlMappingReader.of(other, problemCollector);
                    yamlMappingReader.requiredNode("state");
                    Optional<String> state = yamlMappingReader
                            .scalar("state")
                            .flatMap(name -> declaredNameResolver.resolve(DeclaredNameResolver.NameType.STATE, name));
                    Optional<String> vacant = yamlMappingReader
                            .scalar("vacant")
                            .flatMap(role -> declaredNameResolver.resolve(DeclaredNameResolver.NameType.ROLE, role));
                    yamlMappingReader.reportUnknownKeys();
                    state.ifPresent(found -> aliases.add(new StateAlias(word, found, vacant)));
                }
            }
            boolean always = aliases.stream()
                    .anyMatch(alias ->
                            alias.word().equals(word) && alias.vacantRole().isEmpty());
            if (always
                    && declaredNameResolver.names(DeclaredNameResolver.NameType.STATE).stream()
                            .anyMatch(word::equalsIgnoreCase)) {
                problemCollector.add(
                        entry.key().position(), "'" + word + "' is the name of a state; as an alias it needs 'vacant'");
            }
        }
        return aliases;
    }
}
