package dev.gavel.lifecycle;

import dev.gavel.lifecycle.answer.Decision;
import dev.gavel.lifecycle.answer.Prospect;
import dev.gavel.lifecycle.answer.Refusal;
import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.people.Person;
import dev.gavel.lifecycle.process.EvidenceKind;
import dev.gavel.lifecycle.process.Move;
import dev.gavel.lifecycle.process.Need;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Decides moves, and what they bring with them. */
record Moving(Scene scene, Actor by) {
    Decision<Event> to(String word, List<Evidence> given) {
        Prospects prospects = new Prospects(scene);
        Optional<String> to = scene.process().stateNamed(word);
        if (to.isEmpty()) {
            return RefusalCode.UNKNOWN_STATE.refused(prospects.noState(word));
        }
        Optional<Move> move = scene.process().move(scene.standing().state(), to.get());
        if (move.isEmpty()) {
            return (scene.state().end() ? RefusalCode.ENDED : RefusalCode.NO_SUCH_MOVE)
                    .refused(prospects.noMove(to.get()));
        }
        return make(move.get(), given);
    }

    Decision<Event> make(Move move, List<Evidence> given) {
        Optional<Refusal> unacceptable = new Giving(scene, by).unacceptable(given, true);
        Prospect prospect = new Prospects(scene).of(move, by, given);
        // Who may is told first: evidence put right would not help somebody who may not move it at all.
        if (prospect.youMay() && unacceptable.isPresent()) {
            return Decision.refused(unacceptable.get());
        }
        if (!prospect.possible()) {
            return Decision.refused(refusal(prospect));
        }
        return new Decision.Accepted<>(events(move, given), advice(move, given));
    }

    static Refusal refusal(Prospect prospect) {
        RefusalCode code;
        if (prospect.barred().isPresent()) {
            code = RefusalCode.HOLD;
        } else {
            code = prospect.youMay() ? RefusalCode.MISSING : RefusalCode.NOT_ALLOWED;
        }
        return new Refusal(code.word(), prospect.sentence(), prospect.whoMay(), prospect.missing());
    }

    List<String> advice(Move move, List<Evidence> given) {
        return new Needs(scene, given)
                .check(move.advises()).stream()
                        .filter(advised -> !advised.met())
                        .map(advised -> "It would help to have: " + advised.says() + " (" + advised.accepts() + ").")
                        .toList();
    }

    private List<Event> events(Move move, List<Evidence> given) {
        List<Event> events = new ArrayList<>();
        events.add(new Event.Moved(
                scene.now(),
                by,
                scene.standing().state(),
                move.to(),
                Stream.concat(given.stream(), tally(move).stream()).toList()));
        for (String role : move.drops()) {
            leave(events, role, scene.standing().holders().people(role));
        }
        move.takes().ifPresent(role -> take(events, role, !move.drops().contains(role)));
        return events;
    }

    /** A vote that carried goes with the move it was needed for, so that the history shows it. */
    private List<Evidence> tally(Move move) {
        return move.needs().stream()
                .flatMap(Need::kinds)
                .distinct()
                .filter(kind -> scene.process().kind(kind).form() == EvidenceKind.Form.TALLY)
                .flatMap(kind ->
                        scene.tally().filter(Tally::carried).stream().map(tally -> new Evidence(kind, tally.words())))
                .toList();
    }

    private void take(List<Event> events, String role, boolean keeps) {
        List<Person> holders = keeps ? scene.standing().holders().people(role) : List.of();
        if (holders.contains(by.person())) {
            return;
        }
        if (scene.process().held(role).filter(held -> !held.several()).isPresent()) {
            leave(events, role, holders);
        }
        events.add(new Event.RoleTaken(scene.now(), by, role, by.person()));
    }

    private void leave(List<Event> events, String role, List<Person> people) {
        people.forEach(person -> events.add(new Event.RoleLeft(scene.now(), by, role, person)));
    }
}
