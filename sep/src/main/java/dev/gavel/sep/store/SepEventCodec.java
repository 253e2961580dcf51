package dev.gavel.sep.store;

import dev.gavel.ledger.LedgerBody;
import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.PersonOrGroup;
import dev.gavel.lifecycle.actor.RoleGroup;
import dev.gavel.lifecycle.history.BallotChoice;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.LifecycleEvent;
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
 * Encodes lifecycle events of a SEP as ledger events, and decodes them. Thread-safe.
 *
 * @param personResolver maps a person in a stored event to the current identity, because the person may have another
 *     name by now
 */
public record SepEventCodec(UnaryOperator<Person> personResolver) {
    /** Returns the ledger event type of a lifecycle event. */
    public static String typeName(LifecycleEvent event) {
        return switch (event) {
            case LifecycleEvent.Submitted _ -> "submitted";
            case LifecycleEvent.Edited _ -> "edited";
            case LifecycleEvent.Moved _ -> "moved";
            case LifecycleEvent.EvidenceAttached _ -> "attached";
            case LifecycleEvent.EvidenceConfirmed _ -> "confirmed";
            case LifecycleEvent.RoleTaken _ -> "role-taken";
            case LifecycleEvent.RoleLeft _ -> "role-left";
            case LifecycleEvent.RoleLapsed _ -> "role-lapsed";
            case LifecycleEvent.RoleTransferred _ -> "transferred";
            case LifecycleEvent.Commented _ -> "commented";
            case LifecycleEvent.QuestionAsked _ -> "asked";
            case LifecycleEvent.Voted _ -> "voted";
            case LifecycleEvent.DecisionHeld _ -> "held";
            case LifecycleEvent.DecisionReleased _ -> "released";
            case LifecycleEvent.Pinged _ -> "pinged";
            case LifecycleEvent.Escalated _ -> "escalated";
        };
    }

    /**
     * Returns the ledger body of an event.
     *
     * @param storedDocumentMetadata the document that the event adds
     * @param currentHash the hash of the document before the event; votes, moves and evidence record what they refer to
     */
    public static LedgerBody encodeBody(
            LifecycleEvent event, Optional<StoredDocumentMetadata> storedDocumentMetadata, String currentHash) {
        Json written = Json.write(json -> {
            json.writeStartObject()
                    .writeStringProperty("at", toMicros(event.at()).toString());
            texts(json, "roles", event.by().roles());
            content(json, event);
            if (refersToDocument(event) && !currentHash.isEmpty()) {
                json.writeStringProperty("documentHash", currentHash);
            }
            storedDocumentMetadata.ifPresent(document -> {
                json.writeStringProperty("document", document.hash());
                document.path().ifPresent(path -> {
                    json.writeStringProperty("path", path.text());
                    path.sideFile().ifPresent(name -> json.writeStringProperty("side", name));
                });
                json.writeName("outline");
                DocumentMetadataCodec.write(json, document.metadata());
            });
            json.writeEndObject();
        });
        return LedgerBody.of(written.raw());
    }

    private static boolean refersToDocument(LifecycleEvent event) {
        return event instanceof LifecycleEvent.Voted
                || event instanceof LifecycleEvent.Moved
                || event instanceof LifecycleEvent.EvidenceAttached
                || event instanceof LifecycleEvent.EvidenceConfirmed;
    }

    /** Returns the hash of the document that an event adds or refers to; empty if it states none. */
    public static Optional<String> documentHash(dev.gavel.ledger.LedgerEvent ledgerEvent) {
        Json body = parseBody(ledgerEvent);
        return body.at("document").asText().or(() -> body.at("documentHash").asText());
    }

    /**
     * Truncates a time to microseconds, the precision of summaries, so that events and summaries give the same time.
     */
    private static Instant toMicros(Instant time) {
        return time.truncatedTo(ChronoUnit.MICROS);
    }

    private static void content(JsonGenerator json, LifecycleEvent event) {
        switch (event) {
            case LifecycleEvent.Submitted e -> {
                json.writeStringProperty("state", e.state()).writeStringProperty("role", e.role());
                texts(json, "people", e.people().stream().map(Person::login).toList());
                attributes(json, e.attributes());
                if (!e.submittedAt().equals(e.at())) {
                    json.writeStringProperty(
                            "submitted", toMicros(e.submittedAt()).toString());
                }
            }
            case LifecycleEvent.Edited e -> {
                attributes(json, e.attributes());
                json.writeBooleanProperty("editorial", e.editorial());
            }
            case LifecycleEvent.Moved e -> {
                json.writeStringProperty("from", e.from()).writeStringProperty("to", e.to());
                evidence(json, e.evidence());
            }
            case LifecycleEvent.EvidenceAttached e -> evidence(json, e.evidence());
            case LifecycleEvent.EvidenceConfirmed e ->
                json.writeStringProperty("kind", e.kind())
                        .writeStringProperty("givenBy", e.givenBy().login())
                        .writeStringProperty("value", e.value());
            case LifecycleEvent.RoleTaken e -> roleHolder(json, e.role(), e.person());
            case LifecycleEvent.RoleLeft e -> roleHolder(json, e.role(), e.person());
            case LifecycleEvent.RoleLapsed e -> roleHolder(json, e.role(), e.person());
            case LifecycleEvent.RoleTransferred e ->
                json.writeStringProperty("role", e.role())
                        .writeStringProperty("from", e.from().login())
                        .writeStringProperty("to", e.to().login())
                        .writeBooleanProperty("stays", e.keepsRole());
            case LifecycleEvent.Commented e -> json.writeStringProperty("text", e.text());
            case LifecycleEvent.QuestionAsked e ->
                json.writeStringProperty("whom", e.addressee().login()).writeStringProperty("question", e.question());
            case LifecycleEvent.Voted e ->
                json.writeStringProperty("ballot", ballotName(e.ballotChoice()))
                        .writeStringProperty("reason", e.reason());
            case LifecycleEvent.DecisionHeld e -> json.writeStringProperty("reason", e.reason());
            case LifecycleEvent.DecisionReleased e -> json.writeStringProperty("reason", e.reason());
            case LifecycleEvent.Pinged e -> {
                step(json, e.clock(), e.after());
                parties(json, e.recipients());
                json.writeStringProperty("text", e.text());
            }
            case LifecycleEvent.Escalated e -> {
                step(json, e.clock(), e.after());
                json.writeStringProperty("role", e.role()).writeStringProperty("text", e.text());
            }
        }
    }

    /** Returns the stored name of a ballot choice. */
    public static String ballotName(BallotChoice ballotChoice) {
        return ballotChoice.name().toLowerCase(Locale.ROOT);
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

    private static void roleHolder(JsonGenerator json, String role, Person person) {
        json.writeStringProperty("role", role).writeStringProperty("person", person.login());
    }

    private static void step(JsonGenerator json, String clock, Duration after) {
        json.writeStringProperty("clock", clock).writeStringProperty("after", after.toString());
    }

    private static void parties(JsonGenerator json, List<PersonOrGroup> personOrGroups) {
        json.writeArrayPropertyStart("whom");
        for (PersonOrGroup personOrGroup : personOrGroups) {
            json.writeStartObject();
            switch (personOrGroup) {
                case Person person -> json.writeStringProperty("person", person.login());
                case RoleGroup group -> json.writeStringProperty("role", group.role());
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /**
     * Decodes a ledger event.
     *
     * @throws UnreadableSepException if the event cannot be decoded
     */
    public LifecycleEvent decode(dev.gavel.ledger.LedgerEvent ledgerEvent) {
        return decode(ledgerEvent, parseBody(ledgerEvent));
    }

    /** Decodes a ledger event whose body is already parsed. */
    LifecycleEvent decode(dev.gavel.ledger.LedgerEvent ledgerEvent, Json body) {
        try {
            Instant at = toMicros(body.at("at").asText().map(Instant::parse).orElse(ledgerEvent.at()));
            Actor by = new Actor(person(ledgerEvent.actor()), body.at("roles").texts());
            return decode(ledgerEvent.type(), at, by, body);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw unreadable(ledgerEvent, String.valueOf(e.getMessage()));
        }
    }

    /**
     * Parses the body of a ledger event.
     *
     * @throws UnreadableSepException if the body is not JSON
     */
    static Json parseBody(dev.gavel.ledger.LedgerEvent ledgerEvent) {
        return Json.parse(ledgerEvent.body().toString())
                .orElseThrow(() -> unreadable(ledgerEvent, "its body is not JSON"));
    }

    private static UnreadableSepException unreadable(dev.gavel.ledger.LedgerEvent ledgerEvent, String why) {
        return new UnreadableSepException(
                "event " + ledgerEvent.seq() + " of stream '" + ledgerEvent.stream() + "' (" + ledgerEvent.type()
                        + " of proposal " + ledgerEvent.subject() + ") cannot be read: " + why
                        + "; it was probably written by a newer version of Gavel");
    }

    private LifecycleEvent decode(String type, Instant at, Actor by, Json body) {
        return switch (type) {
            case "submitted" ->
                new LifecycleEvent.Submitted(
                        at,
                        by,
                        body.at("state").text(),
                        body.at("role").text(),
                        body.at("people").texts().stream()
                                .map(this::person)
                                .distinct()
                                .toList(),
                        attributes(body),
                        body.at("submitted").asText().map(Instant::parse).orElse(at));
            case "edited" ->
                new LifecycleEvent.Edited(
                        at, by, attributes(body), body.at("editorial").isTrue());
            case "moved" ->
                new LifecycleEvent.Moved(
                        at, by, body.at("from").text(), body.at("to").text(), evidence(body));
            case "attached" -> new LifecycleEvent.EvidenceAttached(at, by, evidence(body));
            case "confirmed" ->
                new LifecycleEvent.EvidenceConfirmed(
                        at,
                        by,
                        body.at("kind").text(),
                        person(body.at("givenBy").text()),
                        body.at("value").text());
            case "role-taken" ->
                new LifecycleEvent.RoleTaken(
                        at, by, body.at("role").text(), person(body.at("person").text()));
            case "role-left" ->
                new LifecycleEvent.RoleLeft(
                        at, by, body.at("role").text(), person(body.at("person").text()));
            case "role-lapsed" ->
                new LifecycleEvent.RoleLapsed(
                        at, by, body.at("role").text(), person(body.at("person").text()));
            case "transferred" ->
                new LifecycleEvent.RoleTransferred(
                        at,
                        by,
                        body.at("role").text(),
                        person(body.at("from").text()),
                        person(body.at("to").text()),
                        body.at("stays").isTrue());
            case "commented" ->
                new LifecycleEvent.Commented(at, by, body.at("text").text());
            case "asked" ->
                new LifecycleEvent.QuestionAsked(
                        at,
                        by,
                        person(body.at("whom").text()),
                        body.at("question").text());
            case "voted" ->
                new LifecycleEvent.Voted(
                        at,
                        by,
                        BallotChoice.valueOf(body.at("ballot").text().toUpperCase(Locale.ROOT)),
                        body.at("reason").text());
            case "held" ->
                new LifecycleEvent.DecisionHeld(at, by, body.at("reason").text());
            case "released" ->
                new LifecycleEvent.DecisionReleased(at, by, body.at("reason").text());
            case "pinged" ->
                new LifecycleEvent.Pinged(
                        at,
                        by,
                        body.at("clock").text(),
                        after(body),
                        parties(body),
                        body.at("text").text());
            case "escalated" ->
                new LifecycleEvent.Escalated(
                        at,
                        by,
                        body.at("clock").text(),
                        after(body),
                        body.at("role").text(),
                        body.at("text").text());
            default -> throw new IllegalArgumentException("this version does not know the event type '" + type + "'");
        };
    }

    private Person person(String login) {
        return personResolver.apply(new Person(login));
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

    private List<PersonOrGroup> parties(Json body) {
        return body.at("whom").elements().stream()
                .<PersonOrGroup>map(party -> party.at("role")
                        .asText()
                        .<PersonOrGroup>map(RoleGroup::new)
                        .orElseGet(() -> person(party.at("person").text())))
                .toList();
    }
}
