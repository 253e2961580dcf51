package dev.gavel.sep.desk;

import dev.gavel.lifecycle.Circumstances;
import dev.gavel.lifecycle.Command;
import dev.gavel.lifecycle.Lifecycle;
import dev.gavel.lifecycle.answer.Decision;
import dev.gavel.lifecycle.answer.Prospect;
import dev.gavel.lifecycle.history.Ballot;
import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.people.Person;
import dev.gavel.lifecycle.process.EvidenceKind;
import dev.gavel.lifecycle.process.Move;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.sep.Sep;
import dev.gavel.sep.kept.Line;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;

/**
 * What somebody could do with a proposal now, besides moving it. Each is tried on what is known, without keeping what
 * comes of it: so what is offered is what would be allowed, and nothing is decided in a second place.
 */
record Offers(Lifecycle lifecycle, Sep sep, Actor reader, Circumstances known, Instant now) {
    /** Stands for whatever somebody would say. */
    private static final String SOMETHING = "…";

    private static final String SOMEWHERE = "https://example.org/";

    /** The verbs that would be allowed. */
    List<Verb> verbs() {
        String proposer = process().proposer().name();
        Optional<String> sponsor = Line.sponsorRole(process()).map(role -> role.name());
        Person somebody = new Person(SOMETHING);
        return List.of(
                        offer(Verb.COMMENT, new Command.Comment(reader, SOMETHING)),
                        offer(Verb.VOTE, new Command.Vote(reader, Ballot.ABSTAIN, "")),
                        sponsor.flatMap(role -> offer(Verb.SPONSOR, new Command.Take(reader, role, List.of()))),
                        offer(Verb.EDIT, new Command.Edit(reader, Map.of())),
                        kinds().isEmpty() ? Optional.<Verb>empty() : Optional.of(Verb.ATTACH),
                        offer(Verb.ASK, new Command.Ask(reader, somebody, SOMETHING)),
                        offer(Verb.HOLD, new Command.Hold(reader, SOMETHING)),
                        offer(Verb.RELEASE, new Command.Release(reader, SOMETHING)),
                        sponsor.flatMap(role -> offer(Verb.STEP_DOWN, new Command.StepDown(reader, role))),
                        offer(Verb.TRANSFER, new Command.Transfer(reader, proposer, somebody, true)))
                .stream()
                .flatMap(Optional::stream)
                .toList();
    }

    /** The kinds of evidence that they could attach. */
    List<EvidenceKind> kinds() {
        return process().evidence().values().stream()
                .filter(kind -> allowed(new Command.Attach(reader, List.of(new Evidence(kind.name(), example(kind))))))
                .toList();
    }

    private String example(EvidenceKind kind) {
        return switch (kind.form()) {
            case LINK -> SOMEWHERE;
            case DATE -> Views.date(now);
            case TEXT, TALLY -> SOMETHING;
        };
    }

    private Optional<Verb> offer(Verb verb, Command command) {
        return allowed(command) ? Optional.of(verb) : Optional.empty();
    }

    private boolean allowed(Command command) {
        return lifecycle.decide(sep.history(), command, known, now) instanceof Decision.Accepted<Event>;
    }

    private Process process() {
        return lifecycle.process();
    }

    /** Writes the verbs and kinds, as members of the object that is being written. */
    void write(JsonGenerator json) {
        Views.texts(json, "youMayAlso", verbs().stream().map(Verb::word).toList());
        json.writeArrayPropertyStart("youMayAttach");
        kinds().forEach(kind -> json.writeStartObject()
                .writeStringProperty("kind", kind.name())
                .writeStringProperty("is", kind.form().name().toLowerCase(Locale.ROOT))
                .writeStringProperty("says", kind.says())
                .writeEndObject());
        json.writeEndArray();
    }

    /** Writes what the process says of a move besides what it takes. */
    void write(JsonGenerator json, Prospect prospect) {
        process()
                .move(sep.state(), prospect.to())
                .ifPresent(move -> json.writeStringProperty("verb", verb(move).word())
                        .writeBooleanProperty("end", process().state(move.to()).end())
                        .writeBooleanProperty("onward", onward(move)));
    }

    /** What the move is called where it has a verb of its own. */
    private Verb verb(Move move) {
        Process process = process();
        if (Line.sponsorRole(process)
                .filter(role -> move.takes().filter(role.name()::equals).isPresent())
                .isPresent()) {
            return Verb.SPONSOR;
        }
        if (Orders.withdrawn(process).filter(move.to()::equals).isPresent()) {
            return Verb.WITHDRAW;
        }
        return Orders.superseded(process).filter(move.to()::equals).isPresent() ? Verb.SUPERSEDE : Verb.MOVE;
    }

    /** Whether it leads further, in the order the process names its states, and nobody lets go of it. */
    private boolean onward(Move move) {
        List<String> order = List.copyOf(process().states().keySet());
        return order.indexOf(move.to()) > order.indexOf(sep.state())
                && !process().state(move.to()).end()
                && move.drops().isEmpty();
    }
}
