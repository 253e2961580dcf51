package dev.gavel.lifecycle.parser;

import dev.gavel.lifecycle.process.TextTemplate;
import dev.gavel.lifecycle.process.VoteFraction;
import dev.gavel.lifecycle.process.VoteRule;
import dev.gavel.lifecycle.process.VoteRule.Quorum;
import dev.gavel.yaml.ProblemCollector;
import dev.gavel.yaml.YamlMappingReader;
import dev.gavel.yaml.YamlNode;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the votes section of a process file: voters, quorum and majority. */
record VoteSectionParser(DeclaredNameResolver declaredNameResolver, ProblemCollector problemCollector) {
    private static final VoteFraction HALF = new VoteFraction(1, 2);
    private static final Pattern FRACTION = Pattern.compile("(\\d{1,4})/(\\d{1,4})");
    private static final Pattern COUNT = Pattern.compile("\\d{1,4}");

    Map<String, VoteRule> parse(YamlMappingReader top) {
        Map<String, VoteRule> votes = new LinkedHashMap<>();
        for (YamlNode.Entry entry : top.entries("votes")) {
            Optional<String> state = declaredNameResolver.resolve(DeclaredNameResolver.NameType.STATE, entry.key());
            YamlMappingReader yamlMappingReader = YamlMappingReader.of(entry.value(), problemCollector);
            yamlMappingReader.requiredNode("who");
            Optional<String> voterRole = yamlMappingReader
                    .scalar("who")
                    .flatMap(role -> declaredNameResolver.resolve(DeclaredNameResolver.NameType.ROLE, role));
            Quorum quorum = yamlMappingReader
                    .parse("quorum", "a number or a fraction such as 1/2", VoteSectionParser::parseQuorum)
                    .orElse(new Quorum.Fraction(HALF));
            VoteFraction majority = yamlMappingReader
                    .parse("majority", "a fraction such as 1/2", VoteSectionParser::parseFraction)
                    .orElse(HALF);
            boolean concernsBlock = yamlMappingReader
                    .parse("concerns", "'block' or 'note'", text -> switch (text) {
                        case "block" -> Optional.of(true);
                        case "note" -> Optional.of(false);
                        default -> Optional.empty();
                    })
                    .orElse(true);
            yamlMappingReader.requiredNode("decides");
            List<String> decidedStates = declaredNameResolver.resolveAll(
                    DeclaredNameResolver.NameType.STATE, yamlMappingReader.scalars("decides"));
            List<String> hold = declaredNameResolver.resolveAll(
                    DeclaredNameResolver.NameType.ROLE, yamlMappingReader.scalars("hold"));
            List<String> overrule = declaredNameResolver.resolveAll(
                    DeclaredNameResolver.NameType.ROLE, yamlMappingReader.scalars("overrule"));
            List<String> veto = declaredNameResolver.resolveAll(
                    DeclaredNameResolver.NameType.ROLE, yamlMappingReader.scalars("veto"));
            Optional<List<String>> excludedRoles = declaredNameResolver.resolveExcludedRoles(yamlMappingReader);
            Optional<TextTemplate> votedGuidance =
                    yamlMappingReader.scalar("voted").flatMap(declaredNameResolver::parseText);
            Optional<TextTemplate> carriedGuidance =
                    yamlMappingReader.scalar("carries").flatMap(declaredNameResolver::parseText);
            yamlMappingReader.reportUnknownKeys();
            if (state.isPresent() && voterRole.isPresent()) {
                votes.put(
                        state.get(),
                        new VoteRule(
                                voterRole.get(),
                                quorum,
                                majority,
                                concernsBlock,
                                new LinkedHashSet<>(decidedStates),
                                hold.isEmpty() ? List.of(voterRole.get()) : hold,
                                overrule,
                                veto,
                                excludedRoles,
                                votedGuidance,
                                carriedGuidance));
            }
        }
        return votes;
    }

    private static Optional<Quorum> parseQuorum(String text) {
        if (COUNT.matcher(text).matches()) {
            int number = Integer.parseInt(text);
            return number < 1 ? Optional.empty() : Optional.of(new Quorum.Count(number));
        }
        return parseFraction(text).map(Quorum.Fraction::new);
    }

    private static Optional<VoteFraction> parseFraction(String text) {
        Matcher matcher = FRACTION.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        int part = Integer.parseInt(matcher.group(1));
        int whole = Integer.parseInt(matcher.group(2));
        return whole < 1 || part > whole ? Optional.empty() : Optional.of(new VoteFraction(part, whole));
    }
}
