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
import java.util.OptionalInt;

/** Parses the clocks section of a process file: reminders, automatic moves and escalations. */
record ClockSectionParser(DeclaredNameResolver declaredNameResolver, ProblemCollector problemCollector) {
    private static final Duration DEFAULT_REPEAT = Duration.ofDays(14);
    private static final String NEVER = "never";
    private static final int MAX_CHOSEN = 99;

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
            Optional<String> unless = yamlMappingReader
                    .scalar("unless")
                    .flatMap(kind -> declaredNameResolver.resolve(DeclaredNameResolver.NameType.EVIDENCE, kind));
            yamlMappingReader.requiredNode("steps");
            List<Step> steps = yamlMappingReader.items("steps").stream()
                    .map(this::parseStep)
                    .flatMap(Optional::stream)
                    .toList();
            yamlMappingReader.reportUnknownKeys();
            if (start.isPresent() && !steps.isEmpty()) {
                clocks.add(new PositionedClock(
                        new ClockRule(
                                entry.key().text(),
                                new LinkedHashSet<>(states),
                                start.get(),
                                unansweredBy,
                                unless,
                                steps),
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
        Optional<Start> presenceStart = yamlMappingReader
                .scalar("held")
                .flatMap(role -> declaredNameResolver.resolve(DeclaredNameResolver.NameType.ROLE, role))
                .map(Start.PresentHolderActivity::new);
        Optional<Start> vacancyStart = yamlMappingReader
                .scalar("vacant")
                .flatMap(role -> declaredNameResolver.resolve(DeclaredNameResolver.NameType.ROLE, role))
                .map(Start.RoleVacancy::new);
        Optional<Start> dateStart = yamlMappingReader
                .scalar("date")
                .flatMap(kind -> declaredNameResolver.resolve(DeclaredNameResolver.NameType.EVIDENCE, kind))
                .map(Start.EvidenceDate::new);
        yamlMappingReader.reportUnknownKeys();
        return activityStart.or(() -> presenceStart).or(() -> vacancyStart).or(() -> dateStart);
    }

    private Optional<Start> reportInvalidStart(YamlNode node) {
        problemCollector.add(
                node.position(),
                "'from' must be submission, entry, must-act, {active: ROLE}, {held: ROLE},"
                        + " {vacant: ROLE} or {date: EVIDENCE}, not " + node.description());
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
        Optional<Duration> repeat = parseRepeat(yamlMappingReader);
        OptionalInt choose = parseChoose(yamlMappingReader);
        if (ping.isEmpty()) {
            for (String key : List.of("repeat", "choose")) {
                yamlMappingReader
                        .node(key)
                        .ifPresent(node -> problemCollector.add(
                                node.position(), "'" + key + "' applies only to a step with 'ping'"));
            }
        }
        yamlMappingReader.reportUnknownKeys();
        return after.flatMap(delay -> mustAct || recipientRole.isPresent()
                ? Optional.of(new Step.Ping(delay, recipientRole, repeat, choose, message))
                : to.<Step>map(state -> new Step.AutoMove(delay, state, message))
                        .or(() -> role.map(known -> new Step.Escalate(delay, known, message))));
    }

    private static Optional<Duration> parseRepeat(YamlMappingReader step) {
        record Repetition(Optional<Duration> interval) {}
        return step.parse(
                        "repeat",
                        "'" + NEVER + "' or a duration such as 14d",
                        text -> text.equals(NEVER)
                                ? Optional.of(new Repetition(Optional.empty()))
                                : YamlMappingReader.parseDuration(text)
                                        .filter(Duration::isPositive)
                                        .map(interval -> new Repetition(Optional.of(interval))))
                .orElse(new Repetition(Optional.of(DEFAULT_REPEAT)))
                .interval();
    }

    private static OptionalInt parseChoose(YamlMappingReader step) {
        return step
                .parse(
                        "choose",
                        "a number from 1 to " + MAX_CHOSEN,
                        text -> text.matches("[1-9][0-9]?") ? Optional.of(Integer.valueOf(text)) : Optional.empty())
                .stream()
                .mapToInt(Integer::intValue)
                .findFirst();
    }
}
