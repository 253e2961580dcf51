package dev.gavel.sep.kept;

import dev.gavel.ledger.Body;
import dev.gavel.lifecycle.history.Ballot;
import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.people.Group;
import dev.gavel.lifecycle.people.Party;
import dev.gavel.lifecycle.people.Person;
import dev.gavel.mcpx.json.Json;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import tools.jackson.core.JsonGenerator;

/**
 * Writes what happened to a proposal as the ledger keeps it, and reads it again. Thread-safe.
 *
 * @param who whom a name in the ledger means by now: people are known elsewhere by other names
 */
public record EventCodec(UnaryOperator<Person> who) {
    /** A short word for what happened. */
    public static String type(Event event) {
        return switch (event) {
            case Event.Submitted _ -> "submitted";
            case Event.Edited _ -> "edited";
            case Event.Moved _ -> "moved";
            case Event.Attached _ -> "attached";
            case Event.RoleTaken _ -> "role-taken";
            case Event.RoleLeft _ -> "role-left";
            case Event.Transferred _ -> "transferred";
            case Event.Commented _ -> "commented";
            case Event.Asked _ -> "asked";
            case Event.Voted _ -> "voted";
            case Event.Held _ -> "held";
            case Event.Released _ -> "released";
            case Event.Pinged _ -> "pinged";
            case Event.Escalated _ -> "escalated";
        };
    }

    /**
     * The body to keep of an event.
     *
     * @param filed the document that came with it
     */
    public static Body body(Event event, Optional<Filed> filed) {
        Json written = Json.write(json -> {
            json.writeStartObject()
                    .writeStringProperty("at", toMicros(event.at()).toString());
            texts(json, "roles", event.by().roles());
            content(json, event);
            filed.ifPresent(document -> {
                json.writeStringProperty("document", document.hash()).writeName("outline");
                OutlineCodec.write(json, document.outline());
            });
            json.writeEndObject();
        });
        return Body.of(written.raw());
    }

    /** Summaries keep no more of a time, and two answers about one time are to be the same. */
    private static Instant toMicros(Instant time) {
        return time.truncatedTo(ChronoUnit.MICROS);
    }

    private static void content(JsonGenerator json, Event event) {
        switch (event) {
            case Event.Submitted e -> {
                json.writeStringProperty("state", e.state()).writeStringProperty("role", e.role());
                texts(json, "people", e.people().stream().map(Person::login).toList());
                attributes(json, e.attributes());
            }
            case Event.Edited e -> attributes(json, e.attributes());
            case Event.Moved e -> {
                json.writeStringProperty("from", e.from()).writeStringProperty("to", e.to());
                evidence(json, e.evidence());
            }
            case Event.Attached e -> evidence(json, e.evidence());
            case Event.RoleTaken e -> office(json, e.role(), e.person());
            case Event.RoleLeft e -> office(json, e.role(), e.person());
            case Event.Transferred e ->
                json.writeStringProperty("role", e.role())
                        .writeStringProperty("from", e.from().login())
                        .writeStringProperty("to", e.to().login())
                        .writeBooleanProperty("stays", e.stays());
            case Event.Commented e -> json.writeStringProperty("text", e.text());
            case Event.Asked e ->
                json.writeStringProperty("whom", e.whom().login()).writeStringProperty("question", e.question());
            case Event.Voted e ->
                json.writeStringProperty("ballot", word(e.ballot())).writeStringProperty("reason", e.reason());
            case Event.Held e -> json.writeStringProperty("reason", e.reason());
            case Event.Released e -> json.writeStringProperty("reason", e.reason());
            case Event.Pinged e -> {
                step(json, e.clock(), e.after());
                parties(json, e.whom());
                json.writeStringProperty("text", e.text());
            }
            case Event.Escalated e -> {
                step(json, e.clock(), e.after());
                json.writeStringProperty("role", e.role()).writeStringProperty("text", e.text());
            }
        }
    }

    /** What a ballot is called. */
    public static String word(Ballot ballot) {
        return ballot.name().toLowerCase(Locale.ROOT);
    }

    private static void texts(JsonGenerator json, String name, List<String> texts) {
        json.writeArrayPropertyStart(name);
        texts.forEach(json::writeString);
        json.writeEndArray();
    }

    private static void attributes(JsonGenerator json, Map<String, String> attributes) {
        json.writeObjectPropertyStart("attributes");
        attributes.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(entry -> json.writeStringProperty(entry.getKey(), entry.getValue()));
        json.writeEndObject();
    }

    private static void evidence(JsonGenerator json, List<Evidence> evidence) {
        json.writeArrayPropertyStart("evidence");
        for (Evidence piece : evidence) {
            json.writeStartObject()
                    .writeStringProperty("kind", piece.kind())
                    .writeStringProperty("value", piece.value())
                    .writeEndObject();
        }
        json.writeEndArray();
    }

    private static void office(JsonGenerator json, String role, Person person) {
        json.writeStringProperty("role", role).writeStringProperty("person", person.login());
    }

    private static void step(JsonGenerator json, String clock, Duration after) {
        json.writeStringProperty("clock", clock).writeStringProperty("after", after.toString());
    }

    private static void parties(JsonGenerator json, List<Party> parties) {
        json.writeArrayPropertyStart("whom");
        for (Party party : parties) {
            json.writeStartObject();
            switch (party) {
                case Person person -> json.writeStringProperty("person", person.login());
                case Group group -> json.writeStringProperty("role", group.role());
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** The event that is kept; one that cannot be read is {@link Unreadable}. */
    public Event read(dev.gavel.ledger.Event kept) {
        return read(kept, bodyOf(kept));
    }

    /** The same where its body has been read already. */
    Event read(dev.gavel.ledger.Event kept, Json body) {
        try {
            Instant at = toMicros(body.at("at").ifText().map(Instant::parse).orElse(kept.at()));
            Actor by = new Actor(person(kept.actor()), body.at("roles").texts());
            return read(kept.type(), at, by, body);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw unreadable(kept, String.valueOf(e.getMessage()));
        }
    }

    /** The body of an event that is kept. */
    static Json bodyOf(dev.gavel.ledger.Event kept) {
        return Json.parse(kept.body().toString()).orElseThrow(() -> unreadable(kept, "its body is no JSON"));
    }

    private static Unreadable unreadable(dev.gavel.ledger.Event kept, String why) {
        return new Unreadable("event " + kept.seq() + " of stream '" + kept.stream() + "' (" + kept.type()
                + " of SEP " + kept.subject() + ") cannot be read: " + why
                + "; was it written by a newer version?");
    }

    private Event read(String type, Instant at, Actor by, Json body) {
        return switch (type) {
            case "submitted" ->
                new Event.Submitted(
                        at,
                        by,
                        body.at("state").text(),
                        body.at("role").text(),
                        body.at("people").texts().stream()
                                .map(this::person)
                                .distinct()
                                .toList(),
                        attributes(body));
            case "edited" -> new Event.Edited(at, by, attributes(body));
            case "moved" ->
                new Event.Moved(at, by, body.at("from").text(), body.at("to").text(), evidence(body));
            case "attached" -> new Event.Attached(at, by, evidence(body));
            case "role-taken" ->
                new Event.RoleTaken(
                        at, by, body.at("role").text(), person(body.at("person").text()));
            case "role-left" ->
                new Event.RoleLeft(
                        at, by, body.at("role").text(), person(body.at("person").text()));
            case "transferred" ->
                new Event.Transferred(
                        at,
                        by,
                        body.at("role").text(),
                        person(body.at("from").text()),
                        person(body.at("to").text()),
                        body.at("stays").isTrue());
            case "commented" -> new Event.Commented(at, by, body.at("text").text());
            case "asked" ->
                new Event.Asked(
                        at,
                        by,
                        person(body.at("whom").text()),
                        body.at("question").text());
            case "voted" ->
                new Event.Voted(
                        at,
                        by,
                        Ballot.valueOf(body.at("ballot").text().toUpperCase(Locale.ROOT)),
                        body.at("reason").text());
            case "held" -> new Event.Held(at, by, body.at("reason").text());
            case "released" -> new Event.Released(at, by, body.at("reason").text());
            case "pinged" ->
                new Event.Pinged(
                        at,
                        by,
                        body.at("clock").text(),
                        after(body),
                        parties(body),
                        body.at("text").text());
            case "escalated" ->
                new Event.Escalated(
                        at,
                        by,
                        body.at("clock").text(),
                        after(body),
                        body.at("role").text(),
                        body.at("text").text());
            default -> throw new IllegalArgumentException("'" + type + "' is nothing this version knows");
        };
    }

    private Person person(String login) {
        return who.apply(new Person(login));
    }

    private static Map<String, String> attributes(Json body) {
        Map<String, String> attributes = new LinkedHashMap<>();
        body.at("attributes").members().forEach((name, value) -> attributes.put(name, value.text()));
        return attributes;
    }

    private static List<Evidence> evidence(Json body) {
        return body.at("evidence").elements().stream()
                .map(piece ->
                        new Evidence(piece.at("kind").text(), piece.at("value").text()))
                .toList();
    }

    private static Duration after(Json body) {
        return Duration.parse(body.at("after").text());
    }

    private List<Party> parties(Json body) {
        return body.at("whom").elements().stream()
                .<Party>map(party -> party.at("role")
                        .ifText()
                        .<Party>map(Group::new)
                        .orElseGet(() -> person(party.at("person").text())))
                .toList();
    }
}
