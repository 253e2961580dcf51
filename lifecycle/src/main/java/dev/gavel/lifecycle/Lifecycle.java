package dev.gavel.lifecycle;

import dev.gavel.lifecycle.answer.Decision;
import dev.gavel.lifecycle.answer.Guidance;
import dev.gavel.lifecycle.answer.Prospect;
import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.history.History;
import dev.gavel.lifecycle.history.Standing;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.process.Process;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The life of proposals under one process: pure functions of a history, what is so outside it, and the time.
 *
 * <pre>{@code
 * switch (lifecycle.decide(history, command, circumstances, now)) {
 *     case Decision.Accepted<Event> accepted -> keep(accepted.events());
 *     case Decision.Refused<Event> refused -> tell(refused.refusal().message());
 * }
 * }</pre>
 */
public record Lifecycle(Process process) {
    /** What comes of a command: events, or a refusal that says who may, what is missing and what would be accepted. */
    public Decision<Event> decide(History history, Command command, Circumstances circumstances, Instant now) {
        Actor by = known(command.by());
        Optional<Standing> standing = history.standing();
        if (command instanceof Command.Submit submit) {
            return standing.isEmpty()
                    ? new Submitting(process, by, circumstances, now).submit(submit)
                    : RefusalCode.WRONG_TIME.refused("It is submitted already.");
        }
        return standing.map(found -> decide(new Scene(process, found, circumstances, now), command, by))
                .orElseGet(() -> RefusalCode.WRONG_TIME.refused("Submit it first."));
    }

    /** What it would take to move it to a state, without trying. */
    public Prospect explain(History history, Actor reader, String to, Circumstances circumstances, Instant now) {
        Actor actor = known(reader);
        Scene scene = scene(history, circumstances, now);
        Prospects prospects = new Prospects(scene);
        Optional<String> state = process.stateNamed(to);
        if (state.isEmpty()) {
            return Prospect.barred(to, prospects.noState(to));
        }
        return process.move(scene.standing().state(), state.get())
                .map(move -> prospects.of(move, actor, List.of()))
                .orElseGet(() -> Prospect.barred(state.get(), prospects.noMove(state.get())));
    }

    /** What each move that leads on from here would take. */
    public List<Prospect> explain(History history, Actor reader, Circumstances circumstances, Instant now) {
        return new Prospects(scene(history, circumstances, now)).all(known(reader));
    }

    /** What it would take to submit a proposal with these attributes. */
    public Prospect explainSubmitting(
            Actor reader, Map<String, String> attributes, Circumstances circumstances, Instant now) {
        return new Submitting(process, known(reader), circumstances, now).explain(attributes);
    }

    /** How the proposal stands, whose move it is, and what the reader should do. */
    public Guidance guidance(History history, Actor reader, Circumstances circumstances, Instant now) {
        return new Guiding(scene(history, circumstances, now)).guide(known(reader));
    }

    /** Who must act, and since when: the part of the guidance that does not depend on who reads it. */
    public List<Guidance.Holding> mustAct(History history, Circumstances circumstances, Instant now) {
        return new Turns(scene(history, circumstances, now)).mustAct();
    }

    /** What clocks say it is time for; deciding {@link Command.Carry} does each. */
    public List<Due> due(History history, Circumstances circumstances, Instant now) {
        return new Sweeping(scene(history, circumstances, now)).due();
    }

    /** How the vote stands, where the state the proposal is in has one. */
    public Optional<Tally> tally(History history, Circumstances circumstances, Instant now) {
        return scene(history, circumstances, now).tally();
    }

    private static Decision<Event> decide(Scene scene, Command command, Actor by) {
        if (scene.state().end() && !(command instanceof Command.Comment || command instanceof Command.MoveTo)) {
            return RefusalCode.ENDED.refused(
                    "It is " + scene.standing().state() + ", and that is the end; it can only be commented on.");
        }
        return switch (command) {
            case Command.Submit _ -> throw new IllegalStateException("decided before");
            case Command.Edit edit -> new Talking(scene, by).edit(edit.attributes());
            case Command.Comment comment -> new Talking(scene, by).comment(comment.text());
            case Command.Ask ask -> new Talking(scene, by).ask(ask.whom(), ask.question());
            case Command.MoveTo move -> new Moving(scene, by).to(move.to(), move.evidence());
            case Command.Attach attach -> new Giving(scene, by).attach(attach.evidence());
            case Command.Take take -> new Offices(scene, by).take(take.role(), take.evidence());
            case Command.StepDown down -> new Offices(scene, by).stepDown(down.role());
            case Command.Transfer transfer ->
                new Offices(scene, by).transfer(transfer.role(), transfer.to(), transfer.stays());
            case Command.Vote vote -> new Polling(scene, by).vote(vote.ballot(), vote.reason());
            case Command.Hold hold -> new Polling(scene, by).hold(hold.reason());
            case Command.Release release -> new Polling(scene, by).release(release.reason());
            case Command.Carry carry -> new Sweeping(scene).carry(carry.due());
        };
    }

    private Scene scene(History history, Circumstances circumstances, Instant now) {
        return new Scene(
                process,
                history.standing().orElseThrow(() -> new IllegalArgumentException("nothing was submitted yet")),
                circumstances,
                now);
    }

    /** The actor with the roles this process knows, and all they imply. */
    private Actor known(Actor actor) {
        return new Actor(actor.person(), process.brought(actor.roles()));
    }
}
