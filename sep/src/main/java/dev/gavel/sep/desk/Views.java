package dev.gavel.sep.desk;

import dev.gavel.lifecycle.Due;
import dev.gavel.lifecycle.Tally;
import dev.gavel.lifecycle.answer.Guidance;
import dev.gavel.lifecycle.answer.Prospect;
import dev.gavel.lifecycle.answer.Refusal;
import dev.gavel.lifecycle.answer.Requirement;
import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.people.Group;
import dev.gavel.lifecycle.people.Party;
import dev.gavel.lifecycle.people.Person;
import dev.gavel.sep.Sep;
import dev.gavel.sep.kept.EventCodec;
import dev.gavel.sep.kept.Line;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import tools.jackson.core.JsonGenerator;

/** Writes what the desk answers as JSON: members of the object that is being written. Stateless. */
final class Views {
    private Views() {}

    /** What every answer about a proposal begins with. */
    static void line(JsonGenerator json, Line line) {
        json.writeNumberProperty("number", line.number())
                .writeStringProperty("title", line.title())
                .writeStringProperty("status", line.state())
                .writeStringProperty("type", line.type());
        texts(json, "authors", line.authors().stream().map(Roster::shown).toList());
        json.writeName("sponsor");
        line.sponsor().map(Roster::shown).ifPresentOrElse(json::writeString, json::writeNull);
        json.writeStringProperty("since", line.since().toString())
                .writeStringProperty("submitted", line.submitted().toString());
    }

    static void texts(JsonGenerator json, String name, List<String> texts) {
        json.writeArrayPropertyStart(name);
        texts.forEach(json::writeString);
        json.writeEndArray();
    }

    static void numbers(JsonGenerator json, String name, Iterable<Integer> numbers) {
        json.writeArrayPropertyStart(name);
        numbers.forEach(json::writeNumber);
        json.writeEndArray();
    }

    static String name(Party party) {
        return switch (party) {
            case Person person -> Roster.shown(person.login());
            case Group group -> group.role();
        };
    }

    /**
     * The guidance, for whom it was worked out.
     *
     * @param step what somebody who must act is told to do themselves
     */
    static void next(JsonGenerator json, Sep sep, Guidance guidance, Function<Party, String> step) {
        json.writeNumberProperty("number", sep.number())
                .writeStringProperty("title", sep.title())
                .writeStringProperty("status", guidance.state())
                .writeStringProperty("says", guidance.status())
                .writeStringProperty("since", guidance.since().toString());
        mustAct(json, guidance.mustAct(), holding -> json.writeStringProperty("nextStep", step.apply(holding.who())));
        texts(json, "waitingOn", guidance.waitingOn().stream().map(Views::name).toList());
        json.writeStringProperty("nextStep", guidance.nextStep()).writeArrayPropertyStart("toAdvance");
        guidance.toAdvance().forEach(prospect -> {
            json.writeStartObject();
            prospect(json, prospect);
            json.writeEndObject();
        });
        json.writeEndArray();
        expected(json, guidance.expected());
    }

    static void mustAct(JsonGenerator json, List<Guidance.Holding> holdings) {
        mustAct(json, holdings, holding -> {});
    }

    private static void mustAct(JsonGenerator json, List<Guidance.Holding> holdings, Consumer<Guidance.Holding> more) {
        json.writeArrayPropertyStart("mustAct");
        for (Guidance.Holding holding : holdings) {
            json.writeStartObject()
                    .writeStringProperty("who", name(holding.who()))
                    .writeStringProperty("as", holding.as())
                    .writeStringProperty("since", holding.since().toString());
            more.accept(holding);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    static void expected(JsonGenerator json, Optional<Guidance.Expectation> expected) {
        json.writeName("expectedBy");
        expected.ifPresentOrElse(
                what -> json.writeStartObject()
                        .writeStringProperty("date", date(what.by()))
                        .writeStringProperty("then", what.then())
                        .writeEndObject(),
                json::writeNull);
    }

    static String date(Instant at) {
        return LocalDate.ofInstant(at, ZoneOffset.UTC).toString();
    }

    static void prospect(JsonGenerator json, Prospect prospect) {
        json.writeStringProperty("to", prospect.to())
                .writeStringProperty("who", prospect.who())
                .writeBooleanProperty("youMay", prospect.youMay())
                .writeBooleanProperty("possible", prospect.possible());
        requirements(json, "requirements", prospect.requirements());
        prospect.barred().ifPresent(why -> json.writeStringProperty("barred", why));
        json.writeStringProperty("says", prospect.sentence());
    }

    private static void requirements(JsonGenerator json, String name, List<Requirement> requirements) {
        json.writeArrayPropertyStart(name);
        for (Requirement requirement : requirements) {
            json.writeStartObject()
                    .writeStringProperty("says", requirement.says())
                    .writeBooleanProperty("met", requirement.met())
                    .writeStringProperty("accepts", requirement.accepts());
            texts(json, "kinds", requirement.kinds());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** Why something was refused, for programs. */
    static void refusal(JsonGenerator json, Refusal refusal) {
        texts(json, "whoMay", refusal.whoMay().stream().map(Views::name).toList());
        requirements(json, "missing", refusal.missing());
    }

    static void tally(JsonGenerator json, Sep sep, Optional<Tally> tally) {
        tally.ifPresent(found -> {
            json.writeObjectPropertyStart("tally")
                    .writeNumberProperty("yes", found.yes())
                    .writeNumberProperty("no", found.no())
                    .writeNumberProperty("abstain", found.abstain());
            texts(json, "concerns", found.concerns().stream().map(Person::login).toList());
            found.needed().ifPresent(needed -> json.writeNumberProperty("needed", needed));
            json.writeBooleanProperty("carried", found.carried())
                    .writeStringProperty("says", found.words())
                    .writeArrayPropertyStart("votes");
            sep.standing()
                    .voting()
                    .ballots()
                    .forEach((person, cast) -> json.writeStartObject()
                            .writeStringProperty("by", person.login())
                            .writeStringProperty("ballot", EventCodec.word(cast.ballot()))
                            .writeStringProperty("reason", cast.reason())
                            .writeEndObject());
            json.writeEndArray().writeEndObject();
        });
        sep.standing()
                .voting()
                .hold()
                .ifPresent(hold -> json.writeObjectPropertyStart("hold")
                        .writeStringProperty("since", hold.since().toString())
                        .writeStringProperty("reason", hold.reason())
                        .writeEndObject());
    }

    /** All evidence ever given, the earliest first, and who gave it. */
    static void evidence(JsonGenerator json, Sep sep) {
        json.writeArrayPropertyStart("evidence");
        for (Event event : sep.history().events()) {
            List<dev.gavel.lifecycle.history.Evidence> given = switch (event) {
                case Event.Moved moved -> moved.evidence();
                case Event.Attached attached -> attached.evidence();
                default -> List.of();
            };
            given.forEach(piece -> json.writeStartObject()
                    .writeStringProperty("kind", piece.kind())
                    .writeStringProperty("value", piece.value())
                    .writeStringProperty("by", event.by().person().login())
                    .writeStringProperty("at", event.at().toString())
                    .writeEndObject());
        }
        json.writeEndArray();
    }

    static void comments(JsonGenerator json, Sep sep) {
        json.writeArrayPropertyStart("comments");
        for (Event event : sep.history().events()) {
            if (event instanceof Event.Commented comment) {
                json.writeStartObject()
                        .writeStringProperty("by", comment.by().person().login())
                        .writeStringProperty("at", comment.at().toString())
                        .writeStringProperty("text", comment.text())
                        .writeEndObject();
            }
        }
        json.writeEndArray();
    }

    /** What a clock says is due. */
    static void due(JsonGenerator json, Due due) {
        switch (due) {
            case Due.Ping ping -> {
                json.writeStringProperty("kind", "ping");
                texts(json, "whom", ping.whom().stream().map(Views::name).toList());
            }
            case Due.Go go -> json.writeStringProperty("kind", "move").writeStringProperty("to", go.to());
            case Due.Escalation escalation -> {
                json.writeStringProperty("kind", "escalation");
                texts(json, "whom", List.of(escalation.role()));
            }
        }
        json.writeStringProperty("clock", due.clock()).writeStringProperty("says", due.text());
    }
}
