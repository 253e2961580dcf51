package dev.gavel.sep.kept;

import dev.gavel.ledger.Body;
import dev.gavel.ledger.Summary;
import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.history.Standing;
import dev.gavel.lifecycle.people.Person;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.Sep;
import dev.gavel.sep.document.Links;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A proposal in a line, as it is kept beside its events so that it can be listed without them. Immutable.
 *
 * @param sponsor whoever holds the role that is taken from others, where anybody does
 * @param since when it entered its state
 * @param document the hash of its document
 * @param asked since when somebody was asked about it and has not answered
 */
public record Line(
        int number,
        String title,
        String state,
        boolean open,
        String type,
        List<String> authors,
        Optional<String> sponsor,
        Instant submitted,
        Instant since,
        String document,
        Links links,
        Optional<Instant> asked) {
    public Line {
        authors = List.copyOf(authors);
    }

    /** How a proposal stands. */
    public static Line of(Sep sep, Process process) {
        Standing standing = sep.standing();
        String type = Optional.ofNullable(standing.attributes().get("type"))
                .or(() -> Optional.ofNullable(process.attributes().get("type")).flatMap(known -> known.otherwise()))
                .orElse("");
        return new Line(
                sep.number(),
                sep.title(),
                sep.state(),
                process.state(sep.state()).open(),
                type,
                standing.proposers().stream().map(Person::login).toList(),
                sponsorRole(process)
                        .flatMap(role -> standing.holders().people(role.name()).stream()
                                .map(Person::login)
                                .findFirst()),
                standing.submitted(),
                standing.since(),
                sep.document(),
                sep.outline().links(),
                standing.activity().asked().stream().map(Event::at).min(Comparator.naturalOrder()));
    }

    /** The role that is taken from others: whoever holds it looks after a proposal. */
    public static Optional<Role.Held> sponsorRole(Process process) {
        return process.roles().values().stream()
                .<Role.Held>mapMulti((role, found) -> {
                    if (role instanceof Role.Held held && held.from().isPresent()) {
                        found.accept(held);
                    }
                })
                .findFirst();
    }

    /** The same, with people as they are known by now. */
    Line naming(UnaryOperator<Person> who) {
        return new Line(
                number,
                title,
                state,
                open,
                type,
                authors.stream()
                        .map(login -> who.apply(new Person(login)).login())
                        .toList(),
                sponsor.map(login -> who.apply(new Person(login)).login()),
                submitted,
                since,
                document,
                links,
                asked);
    }

    /** The line as the ledger keeps it. */
    public Summary summary(long lastSeq) {
        Json body = Json.write(json -> {
            json.writeStartObject().writeStringProperty("title", title).writeStringProperty("type", type);
            json.writeArrayPropertyStart("authors");
            authors.forEach(json::writeString);
            json.writeEndArray();
            sponsor.ifPresent(who -> json.writeStringProperty("sponsor", who));
            json.writeStringProperty("since", since.toString()).writeStringProperty("document", document);
            LinksCodec.write(json, links);
            json.writeEndObject();
        });
        return new Summary(
                Streams.SEPS,
                Integer.toString(number),
                state,
                open,
                authors.getFirst(),
                // Who was asked is found by this, where nobody else has to act.
                asked.orElse(null),
                submitted,
                null,
                lastSeq,
                Body.of(body.raw()));
    }

    /** Reads what {@link #summary} wrote. */
    public static Line read(Summary summary) {
        Json body = Json.parse(summary.body().toString())
                .orElseThrow(() -> new Unreadable(
                        "the summary of SEP " + summary.subject() + " cannot be read; run 'gavel ledger rebuild'"));
        return new Line(
                SepReader.number(summary.subject()),
                body.at("title").text(),
                summary.state(),
                summary.open(),
                body.at("type").text(),
                body.at("authors").texts(),
                body.at("sponsor").ifText(),
                summary.startedAt(),
                Instant.parse(body.at("since").text()),
                body.at("document").text(),
                LinksCodec.read(body),
                Optional.ofNullable(summary.dueAt()));
    }
}
