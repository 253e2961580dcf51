package dev.gavel.lifecycle.parser;

import dev.gavel.lifecycle.process.AttributeDefinition;
import dev.gavel.lifecycle.process.DigestRule;
import dev.gavel.lifecycle.process.DocumentFormat;
import dev.gavel.lifecycle.process.EditorialRule;
import dev.gavel.lifecycle.process.EvidenceDefinition;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.process.ProcessPermissions;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.lifecycle.process.StateAlias;
import dev.gavel.lifecycle.process.StateDefinition;
import dev.gavel.lifecycle.process.VoteRule;
import dev.gavel.yaml.ProblemCollector;
import dev.gavel.yaml.SourcePosition;
import dev.gavel.yaml.YamlMappingReader;
import dev.gavel.yaml.YamlNode;
import dev.gavel.yaml.YamlReader;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Parses a process file (YAML) into a validated process definition or reports its problems. Stateless. */
public final class ProcessFileParser {
    private static final Duration COOL_DOWN = Duration.ofDays(14);

    private ProcessFileParser() {}

    /**
     * Parses and validates a process file.
     *
     * @param file the file name for problem messages; the parser opens no file
     */
    public static ProcessParseResult parse(String file, String text) {
        ProblemCollector problemCollector = new ProblemCollector();
        Optional<YamlNode> document = YamlReader.read(file, text, problemCollector);
        if (document.isEmpty()) {
            if (problemCollector.isEmpty()) {
                problemCollector.add(
                        new SourcePosition(file, 1, 1), "the file is empty; a process needs roles, states and moves");
            }
            return new ProcessParseResult.Invalid(problemCollector.list());
        }
        Optional<ProcessDefinition> processDefinition =
                parse(YamlMappingReader.of(document.get(), problemCollector), problemCollector);
        return processDefinition.isPresent() && problemCollector.isEmpty()
                ? new ProcessParseResult.Valid(processDefinition.get())
                : new ProcessParseResult.Invalid(problemCollector.list());
    }

    private static Optional<ProcessDefinition> parse(YamlMappingReader top, ProblemCollector problemCollector) {
        Optional<String> name = top.requiredString("process");
        String title = top.string("title").or(() -> name).orElse("");
        top.requiredNode("roles");
        DeclaredNameResolver declaredNameResolver = new DeclaredNameResolver(top, problemCollector);
        Map<String, Role> roles = new RoleSectionParser(declaredNameResolver, problemCollector).parse(top);
        EvidenceSectionParser things = new EvidenceSectionParser(declaredNameResolver, problemCollector);
        Map<String, AttributeDefinition> attributes = things.parseAttributes(top);
        Map<String, EvidenceDefinition> evidence = things.parseEvidence(top);
        Map<String, String> facts = things.parseFacts(top);
        Map<String, StateDefinition> states = new StateSectionParser(declaredNameResolver, problemCollector).parse(top);
        MoveSectionParser section = new MoveSectionParser(
                declaredNameResolver,
                new RequirementListParser(declaredNameResolver, attributes, problemCollector),
                states,
                problemCollector);
        Optional<MoveSectionParser.PositionedMove> start = section.parseStart(top);
        List<MoveSectionParser.PositionedMove> moves = section.parseMoves(top);
        Map<String, VoteRule> votes = new VoteSectionParser(declaredNameResolver, problemCollector).parse(top);
        List<ClockSectionParser.PositionedClock> clocks =
                new ClockSectionParser(declaredNameResolver, problemCollector).parse(top);
        List<StateAlias> aliases = new AliasSectionParser(declaredNameResolver, problemCollector).parse(top);
        Optional<DigestRule> digest = new DigestSectionParser(declaredNameResolver, roles, problemCollector).parse(top);
        Optional<Duration> coolDown = top.duration("cool-down");
        EditorialRule editorialRule = parseEditorialRule(top, declaredNameResolver);
        Optional<ProcessPermissions> permissions = parsePermissions(top, declaredNameResolver, roles);
        Optional<DocumentFormat> documentFormat = new DocumentSectionParser(
                        declaredNameResolver,
                        start.map(first -> first.moveDefinition().to()),
                        Optional.ofNullable(attributes.get("type"))
                                .map(AttributeDefinition::values)
                                .orElse(List.of()),
                        problemCollector)
                .parse(top);
        Optional<ProcessDefinition> processDefinition = name.flatMap(word ->
                start.flatMap(first -> permissions.flatMap(may -> documentFormat.map(format -> new ProcessDefinition(
                        word,
                        title,
                        roles,
                        attributes,
                        evidence,
                        facts,
                        states,
                        first.moveDefinition(),
                        moves.stream()
                                .map(MoveSectionParser.PositionedMove::moveDefinition)
                                .toList(),
                        votes,
                        clocks.stream()
                                .map(ClockSectionParser.PositionedClock::clockRule)
                                .toList(),
                        aliases,
                        may,
                        editorialRule,
                        coolDown.orElse(COOL_DOWN),
                        digest,
                        format)))));
        top.reportUnknownKeys();
        // With unresolved references, the validator would only report the same mistakes again.
        if (problemCollector.isEmpty()) {
            processDefinition.ifPresent(found -> new ProcessValidator(found, declaredNameResolver, problemCollector)
                    .validate(start.orElseThrow(), moves, clocks, top));
        }
        return processDefinition;
    }

    /** Parses which edits are editorial. By default, none is. */
    private static EditorialRule parseEditorialRule(YamlMappingReader top, DeclaredNameResolver declaredNameResolver) {
        Optional<YamlMappingReader> editorial = top.mapping("editorial");
        EditorialRule rule = editorial
                .map(yamlMappingReader -> new EditorialRule(
                        lowerCase(yamlMappingReader.strings("sections")),
                        lowerCase(yamlMappingReader.strings("fields")),
                        declaredNameResolver.resolveRoles(yamlMappingReader.scalars("who"))))
                .orElse(new EditorialRule(Set.of(), Set.of(), List.of()));
        editorial.ifPresent(YamlMappingReader::reportUnknownKeys);
        return rule;
    }

    private static Set<String> lowerCase(List<String> names) {
        return names.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
    }

    /** Parses the permissions. By default anyone may comment and ask, and the proposers may edit. */
    private static Optional<ProcessPermissions> parsePermissions(
            YamlMappingReader top, DeclaredNameResolver declaredNameResolver, Map<String, Role> roles) {
        Optional<YamlMappingReader> may = top.mapping("may");
        List<String> comment = may.map(
                        yamlMappingReader -> declaredNameResolver.resolveRoles(yamlMappingReader.scalars("comment")))
                .orElse(List.of());
        List<String> ask = may.map(
                        yamlMappingReader -> declaredNameResolver.resolveRoles(yamlMappingReader.scalars("ask")))
                .orElse(List.of());
        List<String> edit = may.map(
                        yamlMappingReader -> declaredNameResolver.resolveRoles(yamlMappingReader.scalars("edit")))
                .orElse(List.of());
        may.ifPresent(YamlMappingReader::reportUnknownKeys);
        List<String> anyone = List.of(Role.ANYONE);
        return roles.values().stream()
                .filter(role -> role instanceof Role.ProposalRole proposalRole && proposalRole.proposer())
                .map(role -> new ProcessPermissions(
                        comment.isEmpty() ? anyone : comment,
                        ask.isEmpty() ? anyone : ask,
                        edit.isEmpty() ? List.of(role.name()) : edit))
                .findFirst();
    }
}
