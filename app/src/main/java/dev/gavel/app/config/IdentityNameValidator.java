package dev.gavel.app.config;

import dev.gavel.web.identity.Identity;
import dev.gavel.yaml.ProblemCollector;
import dev.gavel.yaml.SourcePosition;
import dev.gavel.yaml.YamlMappingReader;
import dev.gavel.yaml.YamlNode;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds identities that people or documents cannot tell apart, because their ids or handles differ at most in case. Not
 * thread-safe.
 */
final class IdentityNameValidator {
    private final YamlMappingReader root;
    private final Map<String, Identity> identities;
    private final ProblemCollector problems;
    private final ProblemCollector warnings;

    IdentityNameValidator(
            YamlMappingReader root,
            Map<String, Identity> identities,
            ProblemCollector problems,
            ProblemCollector warnings) {
        this.root = root;
        this.identities = identities;
        this.problems = problems;
        this.warnings = warnings;
    }

    void validate() {
        Map<String, Identity> byId = new HashMap<>();
        for (Identity identity : identities.values()) {
            Identity other = byId.putIfAbsent(lowerCase(identity.id()), identity);
            if (other != null) {
                problems.add(
                        position(identity),
                        "'" + identity.id() + "' and '" + other.id()
                                + "' differ only in case, so people would take one for the other. Rename one of them.");
            }
        }
        Map<String, String> handles = new HashMap<>();
        for (Identity identity : identities.values()) {
            for (String handle : identity.handles()) {
                String name = lowerCase(handle.startsWith("@") ? handle.substring(1) : handle);
                validateHandle(identity, name, handles.putIfAbsent(name, identity.id()), byId.get(name));
            }
        }
    }

    private void validateHandle(
            Identity identity, String handle, @Nullable String otherOwner, @Nullable Identity sameId) {
        if (otherOwner != null && !otherOwner.equals(identity.id())) {
            problems.add(
                    position(identity),
                    "'" + identity.id() + "' and '" + otherOwner + "' both have the handle '@" + handle
                            + "'. A handle belongs to one identity, and case does not matter.");
        }
        if (sameId != null && !sameId.id().equals(identity.id())) {
            String clash = "the handle '@" + handle + "' of '" + identity.id() + "' is the id of another identity, ";
            if (sameId.handles().isEmpty()) {
                problems.add(
                        position(identity),
                        clash + "whose handle is its id. Correct the handle, or give '" + sameId.id()
                                + "' a handle of its own.");
            } else {
                warnings.add(
                        position(identity),
                        clash + "so readers of a document may take one for the other. Rename '" + sameId.id() + "'.");
            }
        }
    }

    private SourcePosition position(Identity identity) {
        return Stream.of("identities", "bridges")
                .flatMap(section -> root.entries(section).stream())
                .map(YamlNode.Entry::key)
                .filter(key -> key.text().equals(identity.id()))
                .map(YamlNode.Scalar::position)
                .findFirst()
                .orElseGet(() -> root.position("identities"));
    }

    private static String lowerCase(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
