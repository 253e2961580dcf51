package dev.gavel.lifecycle.file;

import dev.gavel.lifecycle.process.Alias;
import dev.gavel.lifecycle.process.Attribute;
import dev.gavel.lifecycle.process.EvidenceKind;
import dev.gavel.lifecycle.process.Permissions;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.lifecycle.process.State;
import dev.gavel.lifecycle.process.VoteRule;
import dev.gavel.yaml.Fields;
import dev.gavel.yaml.Node;
import dev.gavel.yaml.Position;
import dev.gavel.yaml.Problems;
import dev.gavel.yaml.Yaml;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads process files; the format is in {@code docs/processes.md}. Stateless. */
public final class ProcessFile {
    private static final Duration COOL_DOWN = Duration.ofDays(14);

    private ProcessFile() {}

    /**
     * Reads a process and proves it sound.
     *
     * @param file the name to use in problems; nothing is opened
     */
    public static Reading read(String file, String text) {
        Problems problems = new Problems();
        Optional<Node> document = Yaml.read(file, text, problems);
        if (document.isEmpty()) {
            if (problems.none()) {
                problems.add(new Position(file, 1, 1), "the file is empty; a process has roles, states and moves");
            }
            return new Reading.Unsound(problems.list());
        }
        Optional<Process> process = read(Fields.of(document.get(), problems), problems);
        return process.isPresent() && problems.none()
                ? new Reading.Sound(process.get())
                : new Reading.Unsound(problems.list());
    }

    private static Optional<Process> read(Fields top, Problems problems) {
        Optional<String> name = top.requiredString("process");
        String title = top.string("title").or(() -> name).orElse("");
        top.required("roles");
        Names names = new Names(top, problems);
        Map<String, Role> roles = new RoleSection(names, problems).read(top);
        EvidenceSection things = new EvidenceSection(names, problems);
        Map<String, Attribute> attributes = things.attributes(top);
        Map<String, EvidenceKind> evidence = things.evidence(top);
        Map<String, String> facts = things.facts(top);
        Map<String, State> states = new StateSection(names, problems).read(top);
        MoveSection section = new MoveSection(names, new NeedList(names, attributes, problems), states, problems);
        Optional<MoveSection.Placed> start = section.start(top);
        List<MoveSection.Placed> moves = section.moves(top);
        Map<String, VoteRule> votes = new VoteSection(names, problems).read(top);
        List<ClockSection.Placed> clocks = new ClockSection(names, problems).read(top);
        List<Alias> aliases = new AliasSection(names, problems).read(top);
        Optional<Duration> coolDown = top.duration("cool-down");
        Optional<Permissions> permissions = permissions(top, names, roles);
        Optional<Process> process = name.flatMap(word -> start.flatMap(first -> permissions.map(may -> new Process(
                word,
                title,
                roles,
                attributes,
                evidence,
                facts,
                states,
                first.move(),
                moves.stream().map(MoveSection.Placed::move).toList(),
                votes,
                clocks.stream().map(ClockSection.Placed::clock).toList(),
                aliases,
                may,
                coolDown.orElse(COOL_DOWN)))));
        top.done();
        // What refers to nothing would only be complained of again.
        if (problems.none()) {
            process.ifPresent(
                    found -> new Soundness(found, names, problems).prove(start.orElseThrow(), moves, clocks, top));
        }
        return process;
    }

    /** Anyone may comment and ask, and whoever proposed may edit, where the file does not say otherwise. */
    private static Optional<Permissions> permissions(Fields top, Names names, Map<String, Role> roles) {
        Optional<Fields> may = top.fields("may");
        List<String> comment =
                may.map(fields -> names.who(fields.scalars("comment"))).orElse(List.of());
        List<String> ask = may.map(fields -> names.who(fields.scalars("ask"))).orElse(List.of());
        List<String> edit = may.map(fields -> names.who(fields.scalars("edit"))).orElse(List.of());
        may.ifPresent(Fields::done);
        List<String> anyone = List.of(Role.ANYONE);
        return roles.values().stream()
                .filter(role -> role instanceof Role.Held held && held.proposer())
                .map(role -> new Permissions(
                        comment.isEmpty() ? anyone : comment,
                        ask.isEmpty() ? anyone : ask,
                        edit.isEmpty() ? List.of(role.name()) : edit))
                .findFirst();
    }
}
