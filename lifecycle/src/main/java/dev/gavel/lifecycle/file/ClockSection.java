package dev.gavel.lifecycle.file;

import dev.gavel.lifecycle.process.Clock;
import dev.gavel.lifecycle.process.Clock.Start;
import dev.gavel.lifecycle.process.Clock.Step;
import dev.gavel.lifecycle.process.Text;
import dev.gavel.yaml.Fields;
import dev.gavel.yaml.Node;
import dev.gavel.yaml.Position;
import dev.gavel.yaml.Problems;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/** Reads {@code clocks}. */
record ClockSection(Names names, Problems problems) {
    /** A clock and where it stands. */
    record Placed(Clock clock, Position position) {}

    List<Placed> read(Fields top) {
        List<Placed> clocks = new ArrayList<>();
        for (Node.Entry entry : top.entries("clocks")) {
            Fields fields = Fields.of(entry.value(), problems);
            fields.required("in");
            List<String> in = names.findAll(Names.Sort.STATE, fields.scalars("in"));
            Optional<Start> start = fields.required("from").flatMap(this::start);
            Optional<String> unanswered =
                    fields.scalar("unanswered-by").flatMap(role -> names.find(Names.Sort.ROLE, role));
            fields.required("steps");
            List<Step> steps = fields.items("steps").stream()
                    .map(this::step)
                    .flatMap(Optional::stream)
                    .toList();
            fields.done();
            if (start.isPresent() && !steps.isEmpty()) {
                clocks.add(new Placed(
                        new Clock(entry.key().text(), new LinkedHashSet<>(in), start.get(), unanswered, steps),
                        entry.key().position()));
            }
        }
        return clocks;
    }

    private Optional<Start> start(Node node) {
        return switch (node) {
            case Node.Scalar word ->
                switch (word.text()) {
                    case "submission" -> Optional.of(new Start.Submission());
                    case "entry" -> Optional.of(new Start.Entry());
                    case Names.MUST_ACT -> Optional.of(new Start.MustAct());
                    default -> noStart(word);
                };
            case Node.Sequence list -> noStart(list);
            case Node.Mapping mapping when mapping.entries().size() != 1 -> noStart(mapping);
            case Node.Mapping mapping -> start(Fields.of(mapping, problems));
        };
    }

    private Optional<Start> start(Fields fields) {
        Optional<Start> active = fields.scalar("active")
                .flatMap(role -> names.find(Names.Sort.ROLE, role))
                .map(Start.Active::new);
        Optional<Start> vacant = fields.scalar("vacant")
                .flatMap(role -> names.find(Names.Sort.ROLE, role))
                .map(Start.Vacant::new);
        Optional<Start> date = fields.scalar("date")
                .flatMap(kind -> names.find(Names.Sort.EVIDENCE, kind))
                .map(Start.OnDate::new);
        fields.done();
        return active.or(() -> vacant).or(() -> date);
    }

    private Optional<Start> noStart(Node node) {
        problems.add(
                node.position(),
                "a clock starts from submission, entry, must-act, {active: ROLE}, {vacant: ROLE} or"
                        + " {date: EVIDENCE}, not " + node.description());
        return Optional.empty();
    }

    private Optional<Step> step(Node item) {
        Fields fields = Fields.of(item, problems);
        fields.required("after");
        Optional<Duration> after = fields.duration("after");
        Optional<Text> says = fields.scalar("says").flatMap(names::text);
        Optional<Node.Scalar> ping = fields.scalar("ping");
        boolean mustAct =
                ping.filter(whom -> whom.text().equals(Names.MUST_ACT)).isPresent();
        Optional<String> whom = ping.filter(word -> !mustAct).flatMap(word -> names.find(Names.Sort.ROLE, word));
        Optional<String> to = fields.scalar("move").flatMap(state -> names.find(Names.Sort.STATE, state));
        Optional<String> role = fields.scalar("escalate").flatMap(word -> names.find(Names.Sort.ROLE, word));
        long does = List.of("ping", "move", "escalate").stream()
                .filter(key -> fields.node(key).isPresent())
                .count();
        if (does != 1) {
            problems.add(fields.position(), "a step does one thing: ping, move or escalate");
        }
        fields.done();
        return after.flatMap(span -> mustAct || whom.isPresent()
                ? Optional.of(new Step.Ping(span, whom, says))
                : to.<Step>map(state -> new Step.Go(span, state, says))
                        .or(() -> role.map(known -> new Step.Escalate(span, known, says))));
    }
}
