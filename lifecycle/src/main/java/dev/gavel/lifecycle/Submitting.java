package dev.gavel.lifecycle;

import dev.gavel.lifecycle.answer.Decision;
import dev.gavel.lifecycle.answer.Prospect;
import dev.gavel.lifecycle.answer.Refusal;
import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.History;
import dev.gavel.lifecycle.history.Standing;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.people.Person;
import dev.gavel.lifecycle.process.Process;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Decides the beginning: what it would be if submitted is looked at as though it were. */
record Submitting(Process process, Actor by, Circumstances circumstances, Instant now) {
    Decision<Event> submit(Command.Submit submit) {
        Scene bare = scene(submit.others(), Map.of());
        Talking talking = new Talking(bare, by);
        Optional<Refusal> wrong =
                talking.wrong(submit.attributes()).or(() -> new Giving(bare, by).unacceptable(submit.evidence(), true));
        if (wrong.isPresent()) {
            return Decision.refused(wrong.get());
        }
        Map<String, String> attributes = talking.spelled(submit.attributes());
        Scene scene = scene(submit.others(), attributes);
        Prospect prospect = new Prospects(scene).of(process.start(), by, submit.evidence());
        if (!prospect.possible()) {
            return Decision.refused(Moving.refusal(prospect));
        }
        return new Decision.Accepted<>(
                events(submit.others(), attributes, submit.evidence()),
                new Moving(scene, by).advice(process.start(), submit.evidence()));
    }

    Prospect explain(Map<String, String> attributes) {
        return new Prospects(scene(List.of(), attributes)).of(process.start(), by, List.of());
    }

    private Scene scene(List<Person> others, Map<String, String> attributes) {
        Standing standing =
                History.of(events(others, attributes, List.of())).standing().orElseThrow();
        return new Scene(process, standing, circumstances, now);
    }

    private List<Event> events(List<Person> others, Map<String, String> attributes, List<Evidence> evidence) {
        List<Event> events = new ArrayList<>();
        events.add(new Event.Submitted(
                now,
                by,
                process.start().to(),
                process.proposer().name(),
                Stream.concat(Stream.of(by.person()), others.stream())
                        .distinct()
                        .toList(),
                attributes));
        if (!evidence.isEmpty()) {
            events.add(new Event.Attached(now, by, evidence));
        }
        return events;
    }
}
