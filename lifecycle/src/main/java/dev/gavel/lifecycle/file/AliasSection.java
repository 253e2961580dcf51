package dev.gavel.lifecycle.file;

import dev.gavel.lifecycle.process.Alias;
import dev.gavel.yaml.Fields;
import dev.gavel.yaml.Node;
import dev.gavel.yaml.Problems;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads {@code aliases}. */
record AliasSection(Names names, Problems problems) {
    List<Alias> read(Fields top) {
        List<Alias> aliases = new ArrayList<>();
        for (Node.Entry entry : top.entries("aliases")) {
            String word = entry.key().text();
            switch (entry.value()) {
                case Node.Scalar state ->
                    names.find(Names.Sort.STATE, state)
                            .ifPresent(found -> aliases.add(new Alias(word, found, Optional.empty())));
                case Node other -> {
                    Fields fields = Fields.of(other, problems);
                    fields.required("state");
                    Optional<String> state = fields.scalar("state").flatMap(name -> names.find(Names.Sort.STATE, name));
                    Optional<String> vacant =
                            fields.scalar("vacant").flatMap(role -> names.find(Names.Sort.ROLE, role));
                    fields.done();
                    state.ifPresent(found -> aliases.add(new Alias(word, found, vacant)));
                }
            }
            boolean always = aliases.stream()
                    .anyMatch(
                            alias -> alias.word().equals(word) && alias.vacant().isEmpty());
            if (always && names.names(Names.Sort.STATE).stream().anyMatch(word::equalsIgnoreCase)) {
                problems.add(
                        entry.key().position(),
                        "'" + word + "' is a state's own name; it can mean another only while a role is 'vacant'");
            }
        }
        return aliases;
    }
}
