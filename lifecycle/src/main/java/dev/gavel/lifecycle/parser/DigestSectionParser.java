package dev.gavel.lifecycle.parser;

import dev.gavel.lifecycle.process.DigestRule;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.yaml.ProblemCollector;
import dev.gavel.yaml.YamlMappingReader;
import dev.gavel.yaml.YamlNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Parses the digest section of a process file: who regularly gets a list of waiting proposals, and how often. */
record DigestSectionParser(
        DeclaredNameResolver declaredNameResolver, Map<String, Role> roles, ProblemCollector problemCollector) {
    private static final Duration WEEK = Duration.ofDays(7);
    private static final Duration MINIMUM = Duration.ofDays(1);

    Optional<DigestRule> parse(YamlMappingReader top) {
        return top.mapping("digest").flatMap(section -> {
            section.requiredNode("roles");
            List<String> recipients = new ArrayList<>();
            for (YamlNode.Scalar reference : section.scalars("roles")) {
                declaredNameResolver
                        .resolve(DeclaredNameResolver.NameType.ROLE, reference)
                        .ifPresent(role -> {
                            if (roles.get(role) instanceof Role.ProposalRole) {
                                problemCollector.add(
                                        reference.position(),
                                        "a digest cannot go to '" + role
                                                + "', which is held in a single proposal; use a role without 'held'");
                            }
                            recipients.add(role);
                        });
            }
            Optional<Duration> every = section.parse(
                    "every",
                    "a duration of at least 1d, such as 7d",
                    text -> YamlMappingReader.parseDuration(text).filter(duration -> duration.compareTo(MINIMUM) >= 0));
            section.reportUnknownKeys();
            return recipients.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new DigestRule(
                            every.orElse(WEEK), recipients.stream().distinct().toList()));
        });
    }
}
