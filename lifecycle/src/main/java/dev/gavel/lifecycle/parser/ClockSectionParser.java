package dev.gavel.lifecycle.parser;

import dev.gavel.lifecycle.process.ClockRule;
import dev.gavel.lifecycle.process.ClockRule.Start;
import dev.gavel.lifecycle.process.ClockRule.Step;
import dev.gavel.lifecycle.process.TextTemplate;
import dev.gavel.yaml.ProblemCollector;
import dev.gavel.yaml.SourcePosition;
import dev.gavel.yaml.YamlMappingReader;
import dev.gavel.yaml.YamlNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/** Parses the clocks section of a process file: reminders, automatic moves and escalations. */
record ClockSectionParser(DeclaredNameResolver declaredNameResolver, ProblemCollector problemCollector) {
    /** A clock with its position in the file. */
    record PositionedClock(ClockRule clockRule, SourcePosition position) {}

    List<PositionedClock> parse(YamlMappingReader top) {
        List<PositionedClock> clocks = new ArrayList<>();
        for (YamlNode.Entry entry : top.entries("clocks")) {
            YamlMappingReader yamlMappingReader = YamlMappingReader.of(entry.value(), problemCollector);
            yamlMappingReader.requiredNode("in");
            List<String> states = declaredNameResolver.resolveAll(
                    DeclaredNameResolver.NameType.STATE, yamlMappingReader.scalars("in"));
            Optional<Start> start = yamlMappingReader.requiredNode("from").flatMap(this::parseStart);
            Optional<String> unansweredBy = yamlMappingReader
                    .scalar("unanswered-by")
                    .flatMap(role -> declaredNameResolver.resolve(DeclaredNameResolver.NameType.ROLE, role));
            yamlMappingReader.requiredNode("steps");
            List<Step> steps = yamlMappingReader.items("steps").stream()
                    .map(this::parseStep)
                    .flatMap(Optional::stream)
                    .toList();
            yamlMappingReader.reportUnknownKeys();
            if (start.isPresent() && !steps.isEmpty()) {
                clocks.add(new PositionedClock(
                        new ClockRule(
                                entry.key().text(), new LinkedHashSet<>(states), start.get(), unansweredBy, steps),
                        entry.key().position()));
            }
        }
        return clocks;
    }

    private Optional<Start> parseStart(YamlNode node) {
        return switch (node) {
            case YamlNode.Scalar word ->
                switch (word.text()) {
                    case "submission" -> Optional.of(new Start.Submission());
                    case "entry" -> Optional.of(new Start.StateEntry());
                    case DeclaredNameResolver.MUST_ACT -> Optional.of(new Start.ActorActivity());
                    default -> reportInvalidStart(word);
                };
            case YamlNode.Sequence list -> reportInvalidStart(list);
            case YamlNode.Mapping mapping when mapping.entries().size() != 1 -> reportInvalidStart(mapping);
            case YamlNode.Mapping mapping -> parseStart(YamlMappingReader.of(mapping, problemCollector));
        };
    }

    private Optional<Start> parseStart(YamlMappingReader yamlMappingReader) {
        Optional<Start> activityStart = yamlMappingReader
                .scalar("active")
                .flatMap(role -> declaredNameResolver.resolve(DeclaredNameResolver.NameType.ROLE, role))
                .map(Start.HolderActivity::new);
        Optional<Start> vacancyStart = yamlMappingReader
                .scalar("vacant")
                .flatMap(role -> declaredNameResolver.resolve(DeclaredNameResolver.NameType.ROLE, role))
                .map(Start.RoleVacancy::new);
        Optional<Start> dateStart = yamlMappingReader
                .scalar("date")
                .flatMap(kind -> declaredNameResolver.resolve(DeclaredNameResolver.NameType.EVIDENCE, kind))
                .map(Start.EvidenceDate::new);
        yamlMappingReader.reportUnknownKeys();
        return activityStart.or(() -> vacancyStart).or(() -> dateStart);
    }

    private Optional<Start> reportInvalidStart(YamlNode node) {
        problemCollector.add(
                node.position(),
                "'from' must be submission, entry, must-act, {active: ROLE}, {vacant: ROLE} or"
                        + " {date: EVIDENCE}, not " + node.description());
        return Optional.empty();
    }

    private Optional<Step> parseStep(YamlNode item) {
        YamlMappingReader yamlMappingReader = YamlMappingReader.of(item, problemCollector);
        yamlMappingReader.requiredNode("after");
        Optional<Duration> after = yamlMappingReader.duration("after");
        Optional<TextTemplate> message = yamlMappingReader.scalar("says").flatMap(declaredNameResolver::parseText);
        Optional<YamlNode.Scalar> ping = yamlMappingReader.scalar("ping");
        boolean mustAct = ping.filter(recipientRole -> recipientRole.text().equals(DeclaredNameResolver.MUST_ACT))
                .isPresent();
        Optional<String> recipientRole = ping.filter(word -> !mustAct)
                .flatMap(word -> declaredNameResolver.resolve(DeclaredNameResolver.NameType.ROLE, word));
        Optional<String> to = yamlMappingReader
                .scalar("move")
                .flatMap(state -> declaredNameResolver.resolve(DeclaredNameResolver.NameType.STATE, state));
        Optional<String> role = yamlMappingReader
                .scalar("escalate")
                .flatMap(word -> declaredNameResolver.resolve(DeclaredNameResolver.NameType.ROLE, word));
        long actionCount = List.of("ping", "move", "escalate").stream()
                .filter(key -> yamlMappingReader.node(key).isPresent())
                .count();
        if (actionCount != 1) {
            problemCollector.add(yamlMappingReader.position(), "a step needs exactly one of ping, move and escalate");
        }
        yamlMappingReader.reportUnknownKeys();
        return after.flatMap(delay -> mustAct || recipientRole.isPresent()
                ? Optional.of(new Step.Ping(delay, recipientRole, message))
                : to.<Step>map(state -> new Step.AutoMove(delay, state, message))
                        .or(() -> role.map(known -> new Step.Escalate(delay, known, message))));
    }
}
