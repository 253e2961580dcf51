package dev.gavel.sep.desk;

import dev.gavel.ledger.Event;
import dev.gavel.lifecycle.Circumstances;
import dev.gavel.lifecycle.Lifecycle;
import dev.gavel.lifecycle.answer.Guidance;
import dev.gavel.lifecycle.answer.Prospect;
import dev.gavel.lifecycle.history.Event.Moved;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.people.Group;
import dev.gavel.lifecycle.people.Party;
import dev.gavel.lifecycle.people.Person;
import dev.gavel.lifecycle.process.Need;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.Sep;
import dev.gavel.sep.document.Document;
import dev.gavel.sep.document.Links;
import dev.gavel.sep.kept.Archive;
import dev.gavel.sep.kept.EventCodec;
import dev.gavel.sep.kept.Line;
import dev.gavel.sep.stats.Stats;
import dev.gavel.sep.stats.StatsJson;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import tools.jackson.core.JsonGenerator;

/** Answers questions about proposals, as things stand at a moment, to one reader. Waits for the disk. */
record Enquiries(
        Lifecycle lifecycle,
        Shelf shelf,
        Catalogue catalogue,
        Archive archive,
        EventCodec codec,
        Roster roster,
        int wip,
        Caller caller,
        Instant now) {
    private static final int USUAL = 50;
    private static final int MOST = 500;

    private Actor actor() {
        return roster.actor(caller);
    }

    private Process process() {
        return lifecycle.process();
    }

    static int limit(Json arguments) {
        return Math.clamp(arguments.at("limit").number(USUAL), 1, MOST);
    }

    static Reply unknown(int number) {
        return new Reply.Unknown("there is no SEP " + number + "; 'list' shows those there are");
    }

    Circumstances known(Sep sep) {
        return Facts.of(sep, List.of(), process(), roster, shelf::readable);
    }

    /** Whoever asks, as somebody in this proposal's successor too. */
    private Actor reader(Sep sep) {
        return Facts.withSuccessorRoles(actor(), sep, List.of(), process(), shelf::readable);
    }

    Guidance guidance(Sep sep) {
        return lifecycle.guidance(sep.history(), reader(sep), known(sep), now);
    }

    /** How it stands and what is to be done next, by whoever asks and by those who must act. */
    void next(JsonGenerator json, Sep sep) {
        Circumstances known = known(sep);
        Views.next(
                json,
                sep,
                guidance(sep),
                party -> lifecycle
                        .guidance(sep.history(), acting(party), known, now)
                        .nextStep());
    }

    /** Somebody who must act, as far as they have to be known for what they are told: a person has their roles here. */
    private static Actor acting(Party party) {
        return switch (party) {
            case Person person -> new Actor(person, List.of());
            case Group group -> Actor.of("anybody", group.role());
        };
    }

    private Reply about(Json arguments, Function<Sep, Reply> answer) {
        int number = (int) Math.min(arguments.at("number").number(0), Integer.MAX_VALUE);
        return shelf.find(number).map(answer).orElseGet(() -> unknown(number));
    }

    static Reply done(Consumer<JsonGenerator> content) {
        return new Reply.Done(object(content));
    }

    static Json object(Consumer<JsonGenerator> content) {
        return Json.write(json -> {
            json.writeStartObject();
            content.accept(json);
            json.writeEndObject();
        });
    }

    // --- one proposal

    Reply show(Json arguments) {
        return about(
                arguments,
                sep -> done(json -> {
                    Views.line(json, Line.of(sep, process()));
                    sep.outline().created().ifPresent(day -> json.writeStringProperty("created", day));
                    sep.outline().discussion().ifPresent(link -> json.writeStringProperty("discussion", link));
                    links(json, sep);
                    Views.evidence(json, sep);
                    Views.tally(json, sep, lifecycle.tally(sep.history(), known(sep), now));
                    Views.texts(
                            json,
                            "sections",
                            sep.outline().sections().stream().sorted().toList());
                    Views.comments(json, sep);
                    json.writeObjectPropertyStart("next");
                    next(json, sep);
                    json.writeEndObject();
                }));
    }

    /** Links are read in both directions, whichever of the two documents says so. */
    private void links(JsonGenerator json, Sep sep) {
        Links said = sep.outline().links();
        Catalogue.NamedBy naming = catalogue.naming(sep.number());
        Set<Integer> by = new TreeSet<>(said.supersededBy());
        by.addAll(naming.supersedes());
        successor(sep).ifPresent(by::add);
        json.writeObjectPropertyStart("links");
        Views.numbers(json, "supersedes", said.supersedes());
        Views.numbers(json, "replaces", said.replaces());
        Views.numbers(json, "requires", said.requires());
        Views.numbers(json, "supersededBy", by);
        Views.numbers(json, "replacedBy", naming.replaces());
        Views.numbers(json, "requiredBy", naming.requires());
        json.writeEndObject();
    }

    /** What took its place when it was moved: anybody may attach a number, and that alone means nothing. */
    private Optional<Integer> successor(Sep sep) {
        return sep.history().events().reversed().stream()
                .<Moved>mapMulti((event, found) -> {
                    if (event instanceof Moved moved) {
                        found.accept(moved);
                    }
                })
                .findFirst()
                .filter(last -> process().moves().stream()
                        .anyMatch(move -> move.to().equals(last.to())
                                && move.needs().stream().flatMap(Need::kinds).anyMatch(Facts.SUCCESSOR::equals)))
                .flatMap(last -> last.evidence().stream()
                        .filter(piece -> piece.kind().equals(Facts.SUCCESSOR))
                        .findFirst())
                .flatMap(piece -> Facts.number(piece.value()));
    }

    Reply next(Json arguments) {
        return about(arguments, sep -> done(json -> next(json, sep)));
    }

    Reply explain(Json arguments) {
        return about(arguments, sep -> {
            Circumstances known = known(sep);
            Actor reader = reader(sep);
            Offers offers = new Offers(lifecycle, sep, reader, known, now);
            List<Prospect> prospects = arguments
                    .at("to")
                    .ifText()
                    .map(to -> List.of(lifecycle.explain(sep.history(), reader, to.strip(), known, now)))
                    .orElseGet(() -> lifecycle.explain(sep.history(), reader, known, now));
            return done(json -> {
                json.writeNumberProperty("number", sep.number())
                        .writeStringProperty("title", sep.title())
                        .writeStringProperty("status", sep.state())
                        .writeArrayPropertyStart("moves");
                for (Prospect prospect : prospects) {
                    json.writeStartObject();
                    Views.prospect(json, prospect);
                    offers.write(json, prospect);
                    json.writeEndObject();
                }
                json.writeEndArray();
                offers.write(json);
            });
        });
    }

    Reply history(Json arguments) {
        return about(
                arguments,
                sep -> done(json -> {
                    json.writeNumberProperty("number", sep.number())
                            .writeStringProperty("title", sep.title())
                            .writeArrayPropertyStart("events");
                    for (Event kept : archive.events(sep.number())) {
                        dev.gavel.lifecycle.history.Event event = codec.read(kept);
                        json.writeStartObject()
                                .writeNumberProperty("seq", kept.seq())
                                .writeStringProperty("at", event.at().toString())
                                .writeStringProperty("by", event.by().person().login())
                                .writeStringProperty("type", kept.type())
                                .writeStringProperty("says", Sayings.of(event))
                                .writeName("detail")
                                .writeRawValue(kept.body().toString());
                        json.writeEndObject();
                    }
                    json.writeEndArray();
                }));
    }

    /** The document with the status it has here, and every other byte as it came. */
    Reply export(Json arguments) {
        return about(arguments, sep -> {
            Document document = Document.read(archive.text(sep.document()).orElse(""));
            return done(json -> json.writeNumberProperty("number", sep.number())
                    .writeStringProperty("title", sep.title())
                    .writeStringProperty("status", sep.state())
                    .writeStringProperty("file", fileName(sep))
                    .writeStringProperty("hash", sep.document())
                    .writeStringProperty("document", exported(sep, document)));
        });
    }

    /** A word that means the state already is left as it is. */
    private String exported(Sep sep, Document document) {
        Predicate<String> held = role -> !sep.standing().holders().of(role).isEmpty()
                || process().held(role).isEmpty();
        Optional<String> meant =
                document.outline().status().flatMap(word -> process().stateMeant(word, held));
        return meant.filter(sep.state()::equals).isPresent()
                ? document.text()
                : document.withStatus(capitalised(sep.state()));
    }

    private static String capitalised(String state) {
        return Character.toUpperCase(state.charAt(0)) + state.substring(1);
    }

    private static String fileName(Sep sep) {
        String slug = sep.title()
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9]+", "-")
                .replaceAll("^-|-$", "");
        return sep.number() + "-"
                + (slug.isEmpty()
                        ? "untitled"
                        : slug.substring(0, Math.min(60, slug.length())).replaceAll("-$", ""))
                + ".md";
    }

    // --- several

    Reply list(Json arguments) {
        return new Listing(process(), shelf, catalogue, archive, roster).list(arguments);
    }

    Reply inbox(Json arguments) {
        List<Shelf.Entry> all = shelf.heldBy(actor());
        List<Shelf.Entry> page = all.stream().limit(limit(arguments)).toList();
        return done(json -> {
            json.writeNumberProperty("count", all.size()).writeArrayPropertyStart("seps");
            for (Shelf.Entry entry : page) {
                Guidance guidance = guidance(entry.sep());
                json.writeStartObject();
                Views.line(json, Line.of(entry.sep(), process()));
                Views.mustAct(json, entry.mustAct());
                json.writeStringProperty("holdingSince", entry.since().toString())
                        .writeStringProperty("because", because(entry))
                        .writeStringProperty("nextStep", guidance.nextStep());
                Views.expected(json, guidance.expected());
                json.writeEndObject();
            }
            json.writeEndArray();
        });
    }

    private String because(Shelf.Entry entry) {
        Actor reader = actor();
        return entry.mustAct().stream()
                .filter(holding -> holding.who().equals(reader.person())
                        || (holding.who() instanceof Group group
                                && process().brought(reader.roles()).contains(group.role())))
                .findFirst()
                .map(holding -> "you must act as " + holding.as() + " since " + Views.date(holding.since()))
                .orElse("you were asked");
    }

    /** Those that wait for somebody to look after them, unreviewed longest first. */
    Reply triage(Json arguments) {
        record Waiting(Sep sep, Instant since, boolean answered) {}
        List<Waiting> all = new ArrayList<>();
        Line.sponsorRole(process())
                .ifPresent(role -> shelf.open().stream()
                        .map(Shelf.Entry::sep)
                        .filter(sep -> process().state(sep.state()).open()
                                && sep.standing().holders().of(role.name()).isEmpty())
                        .forEach(sep -> {
                            Optional<Instant> answer = role.from()
                                    .flatMap(from -> sep.standing().activity().answered(from));
                            all.add(new Waiting(
                                    sep, answer.orElse(sep.standing().submitted()), answer.isPresent()));
                        }));
        all.sort(Comparator.comparing(Waiting::since)
                .thenComparingInt(waiting -> waiting.sep().number()));
        List<Waiting> page = all.stream().limit(limit(arguments)).toList();
        return done(json -> {
            json.writeNumberProperty("count", all.size()).writeArrayPropertyStart("seps");
            for (Waiting waiting : page) {
                json.writeStartObject();
                Views.line(json, Line.of(waiting.sep(), process()));
                json.writeStringProperty("waitingSince", waiting.since().toString())
                        .writeNumberProperty(
                                "days",
                                Math.max(
                                        0,
                                        Duration.between(waiting.since(), now).toDays()))
                        .writeBooleanProperty("answered", waiting.answered())
                        .writeStringProperty("nextStep", guidance(waiting.sep()).nextStep());
                json.writeEndObject();
            }
            json.writeEndArray();
        });
    }

    Reply maintainers() {
        Optional<Role.Held> role = Line.sponsorRole(process());
        Map<Person, Set<Integer>> held =
                role.map(each -> shelf.held(each.name())).orElse(Map.of());
        return done(json -> {
            json.writeArrayPropertyStart("maintainers");
            for (People.Known known : roster.bearers()) {
                Set<Integer> sponsors = new TreeSet<>(held.getOrDefault(new Person(known.id()), Set.of()));
                json.writeStartObject().writeStringProperty("id", known.id()).writeStringProperty("name", known.name());
                Views.texts(
                        json,
                        "roles",
                        known.roles().stream()
                                .filter(each -> process().roles().containsKey(each))
                                .sorted()
                                .toList());
                Views.texts(json, "handles", known.handles());
                Views.numbers(json, "sponsors", sponsors);
                json.writeNumberProperty("load", sponsors.size())
                        .writeNumberProperty("limit", wip)
                        .writeBooleanProperty("over", sponsors.size() > wip)
                        .writeEndObject();
            }
            json.writeEndArray();
        });
    }

    Reply stats() {
        return new Reply.Done(StatsJson.of(Stats.of(archive.all(), process(), this::known, now)));
    }
}
