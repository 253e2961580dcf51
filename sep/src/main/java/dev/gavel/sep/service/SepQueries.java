package dev.gavel.sep.service;

import dev.gavel.ledger.LedgerEvent;
import dev.gavel.lifecycle.ExternalFacts;
import dev.gavel.lifecycle.LifecycleEngine;
import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.PersonOrGroup;
import dev.gavel.lifecycle.actor.RoleGroup;
import dev.gavel.lifecycle.history.LifecycleEvent.Moved;
import dev.gavel.lifecycle.process.MoveRequirement;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.lifecycle.result.LifecycleGuidance;
import dev.gavel.lifecycle.result.MoveEligibility;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.Sep;
import dev.gavel.sep.document.DeclaredSepRelations;
import dev.gavel.sep.document.DocumentPath;
import dev.gavel.sep.notification.OutcomeFinder;
import dev.gavel.sep.stats.Stats;
import dev.gavel.sep.stats.StatsJsonCodec;
import dev.gavel.sep.store.SepEventCodec;
import dev.gavel.sep.store.SepLedgerReader;
import dev.gavel.sep.store.SepSummary;
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
import java.util.stream.Stream;
import tools.jackson.core.JsonGenerator;

/** Answers queries about SEPs for one caller, as of one moment. Blocks on disk reads. */
record SepQueries(
        LifecycleEngine lifecycleEngine,
        OpenSepCache openSeps,
        SepIndex index,
        SepLedgerReader sepReader,
        SepEventCodec codec,
        PeopleResolver peopleResolver,
        int sponsorLimit,
        SepCaller caller,
        Instant now) {
    private static final int DEFAULT_LIMIT = 50;
    private static final int MAX_LIMIT = 500;

    /** How long the inbox shows an outcome on which its recipient does not act. */
    private static final Duration OUTCOME_AGE = Duration.ofDays(30);

    private Actor actor() {
        return peopleResolver.actor(caller);
    }

    private ProcessDefinition process() {
        return lifecycleEngine.processDefinition();
    }

    static int pageLimit(Json arguments) {
        return Math.clamp(arguments.at("limit").asLong(DEFAULT_LIMIT), 1, MAX_LIMIT);
    }

    SepResult notFound(int number) {
        return new SepResult.NotFound("there is no " + process().terms().numberLabel(number));
    }

    ExternalFacts externalFacts(Sep sep) {
        return SepFactEvaluator.of(sep, List.of(), process(), peopleResolver, openSeps::findReadable);
    }

    /** Returns the caller as an actor, including roles through the SEP's successor. */
    private Actor readerActor(Sep sep) {
        return SepFactEvaluator.withSuccessorRoles(actor(), sep, List.of(), process(), openSeps::findReadable);
    }

    LifecycleGuidance guidance(Sep sep) {
        return lifecycleEngine.guidance(sep.history(), readerActor(sep), externalFacts(sep), now);
    }

    /** Writes the status of a SEP and the next steps of the caller and of those who must act. */
    void next(SepJsonWriter writer, Sep sep) {
        ExternalFacts externalFacts = externalFacts(sep);
        writer.next(
                sep,
                process(),
                guidance(sep),
                personOrGroup -> lifecycleEngine
                        .guidance(sep.history(), actorFor(personOrGroup), externalFacts, now)
                        .nextStep());
        documentVersions(sep).writeChangesSinceVote(writer.json());
        writer.voidedVotes(sep);
        writer.confirmations(lifecycleEngine.pendingConfirmations(sep.history(), externalFacts, now));
    }

    /**
     * Returns an actor for computing the next step of a person or role. A person needs no roles, because the SEP
     * records those that matter.
     */
    private static Actor actorFor(PersonOrGroup personOrGroup) {
        return switch (personOrGroup) {
            case Person person -> new Actor(person, List.of());
            case RoleGroup group -> Actor.of("anybody", group.role());
        };
    }

    DocumentVersionComparer documentVersions(Sep sep) {
        return new DocumentVersionComparer(sep, sepReader, process(), actor().person());
    }

    private SepResult withSep(Json arguments, Function<Sep, SepResult> answer) {
        int number = (int) Math.min(arguments.at("number").asLong(0), Integer.MAX_VALUE);
        return openSeps.find(number).map(answer).orElseGet(() -> notFound(number));
    }

    private SepResult success(Consumer<SepJsonWriter> content) {
        return new SepResult.Success(SepJsonWriter.write(peopleResolver, content));
    }

    // --- one SEP

    SepResult show(Json arguments) {
        return withSep(
                arguments,
                sep -> success(writer -> {
                    JsonGenerator json = writer.json();
                    writer.summary(SepSummary.of(sep, process()));
                    sep.metadata().created().ifPresent(day -> json.writeStringProperty("created", day));
                    sep.metadata().discussion().ifPresent(link -> json.writeStringProperty("discussion", link));
                    links(json, sep);
                    DecidedDocument.find(sep, process())
                            .ifPresent(decided -> decided.write(writer, documentVersions(sep)));
                    writer.evidence(sep);
                    writer.tally(sep, lifecycleEngine.voteTally(sep.history(), externalFacts(sep), now));
                    SepJsonWriter.strings(
                            json,
                            "sections",
                            sep.metadata().sections().stream().sorted().toList());
                    writer.comments(sep);
                    json.writeObjectPropertyStart("next");
                    next(writer, sep);
                    json.writeEndObject();
                }));
    }

    /** Writes the links of a SEP in both directions, whichever of the two documents states them. */
    private void links(JsonGenerator json, Sep sep) {
        DeclaredSepRelations outgoingLinks = sep.metadata().declaredSepRelations();
        SepIndex.IncomingLinks incomingLinks = index.linksTo(sep.number());
        Set<Integer> by = new TreeSet<>(outgoingLinks.supersededBy());
        by.addAll(incomingLinks.supersedes());
        successor(sep).ifPresent(by::add);
        json.writeObjectPropertyStart("links");
        SepJsonWriter.numbers(json, "supersedes", outgoingLinks.supersedes());
        SepJsonWriter.numbers(json, "replaces", outgoingLinks.replaces());
        SepJsonWriter.numbers(json, "requires", outgoingLinks.requires());
        SepJsonWriter.numbers(json, "supersededBy", by);
        SepJsonWriter.numbers(json, "replacedBy", incomingLinks.replaces());
        SepJsonWriter.numbers(json, "requiredBy", incomingLinks.requires());
        json.writeEndObject();
    }

    /**
     * Returns the successor named in the last move. A number attached as evidence alone does not count, because any
     * person may attach one.
     */
    private Optional<Integer> successor(Sep sep) {
        return sep.history().events().reversed().stream()
                .<Moved>mapMulti((event, found) -> {
                    if (event instanceof Moved moved) {
                        found.accept(moved);
                    }
                })
                .findFirst()
                .filter(last -> process().moveDefinitions().stream()
                        .anyMatch(moveDefinition -> moveDefinition.to().equals(last.to())
                                && moveDefinition.requirements().stream()
                                        .flatMap(MoveRequirement::evidenceKinds)
                                        .anyMatch(SepFactEvaluator.SUCCESSOR::equals)))
                .flatMap(last -> last.evidence().stream()
                        .filter(piece -> piece.kind().equals(SepFactEvaluator.SUCCESSOR))
                        .findFirst())
                .flatMap(piece -> process().terms().parseNumber(piece.value()));
    }

    SepResult next(Json arguments) {
        return withSep(arguments, sep -> success(writer -> next(writer, sep)));
    }

    SepResult explain(Json arguments) {
        return withSep(arguments, sep -> {
            ExternalFacts externalFacts = externalFacts(sep);
            Actor reader = readerActor(sep);
            AllowedSepOperationsFinder allowedSepOperationsFinder =
                    new AllowedSepOperationsFinder(lifecycleEngine, sep, reader, externalFacts, now);
            List<MoveEligibility> moveEligibilities = arguments
                    .at("to")
                    .asText()
                    .map(to -> List.of(lifecycleEngine.explain(sep.history(), reader, to.strip(), externalFacts, now)))
                    .orElseGet(() -> lifecycleEngine.explain(sep.history(), reader, externalFacts, now));
            return success(writer -> {
                JsonGenerator json = writer.json();
                json.writeNumberProperty("number", sep.number())
                        .writeStringProperty("title", sep.title())
                        .writeStringProperty("status", sep.state())
                        .writeArrayPropertyStart("moves");
                for (MoveEligibility moveEligibility : moveEligibilities) {
                    json.writeStartObject();
                    writer.moveEligibility(moveEligibility);
                    allowedSepOperationsFinder.write(json, moveEligibility);
                    json.writeEndObject();
                }
                json.writeEndArray();
                allowedSepOperationsFinder.write(writer);
            });
        });
    }

    SepResult history(Json arguments) {
        return withSep(
                arguments,
                sep -> success(writer -> {
                    JsonGenerator json = writer.json();
                    json.writeNumberProperty("number", sep.number())
                            .writeStringProperty("title", sep.title())
                            .writeArrayPropertyStart("events");
                    SepEventSentenceFormatter sentences = new SepEventSentenceFormatter(peopleResolver, process());
                    for (LedgerEvent ledgerEvent : sepReader.events(sep.number())) {
                        dev.gavel.lifecycle.history.LifecycleEvent event = codec.decode(ledgerEvent);
                        json.writeStartObject()
                                .writeNumberProperty("seq", ledgerEvent.seq())
                                .writeStringProperty("at", event.at().toString())
                                .writeStringProperty("by", writer.id(event.by().person()))
                                .writeStringProperty("type", ledgerEvent.type())
                                .writeStringProperty("says", sentences.format(event));
                        SepEventCodec.documentHash(ledgerEvent)
                                .ifPresent(hash -> json.writeStringProperty("hash", hash));
                        json.writeName("detail")
                                .writeRawValue(ledgerEvent.body().toString());
                        json.writeEndObject();
                    }
                    json.writeEndArray();
                }));
    }

    /** Returns the document with the current status and sponsor, and every other byte unchanged. */
    SepResult export(Json arguments) {
        return withSep(arguments, sep -> {
            String document = new DocumentExporter(process(), peopleResolver)
                    .text(sep, sepReader.documentText(sep.documentHash()).orElse(""));
            return success(writer -> {
                JsonGenerator json = writer.json();
                json.writeNumberProperty("number", sep.number())
                        .writeStringProperty("title", sep.title())
                        .writeStringProperty("status", sep.state())
                        .writeStringProperty("file", fileName(sep));
                sep.documentPath()
                        .flatMap(DocumentPath::sideFile)
                        .ifPresent(side -> json.writeStringProperty("side", side));
                json.writeStringProperty("hash", sep.documentHash()).writeStringProperty("document", document);
            });
        });
    }

    /** Returns the path from which the SEP was imported, or else a name made of its number and title. */
    private String fileName(Sep sep) {
        return sep.documentPath().map(DocumentPath::text).orElseGet(() -> generatedFileName(sep));
    }

    private String generatedFileName(Sep sep) {
        String slug = sep.title()
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9]+", "-")
                .replaceAll("^-|-$", "");
        return process()
                .documentFormat()
                .files()
                .pathOf(sep.number() + "-"
                        + (slug.isEmpty()
                                ? "untitled"
                                : slug.substring(0, Math.min(60, slug.length())).replaceAll("-$", "")));
    }

    /** Returns the difference between two versions of the document, part by part. */
    SepResult diff(Json arguments) {
        return withSep(arguments, sep -> {
            DocumentVersionComparer versions = documentVersions(sep);
            Optional<String> from = arguments
                    .at("from")
                    .asText()
                    .map(versions::resolve)
                    .orElseGet(() -> Optional.of(versions.judged()));
            Optional<String> to =
                    arguments.at("to").asText().map(versions::resolve).orElseGet(() -> Optional.of(sep.documentHash()));
            if (from.isEmpty() || to.isEmpty()) {
                return new SepResult.InvalidRequest(process().terms().numberLabel(sep.number()) + " has no document "
                        + arguments.at(from.isEmpty() ? "from" : "to").text()
                        + "; give at least the first 12 digits of a hash. 'gavel sep history " + sep.number()
                        + "' shows the hashes");
            }
            return success(writer -> {
                JsonGenerator json = writer.json();
                json.writeNumberProperty("number", sep.number())
                        .writeStringProperty("title", sep.title())
                        .writeStringProperty("status", sep.state())
                        .writeStringProperty("from", from.get())
                        .writeStringProperty("to", to.get());
                versions.changesBetween(from.get(), to.get())
                        .ifPresent(changes -> DocumentVersionComparer.writeWithLines(json, changes));
            });
        });
    }

    // --- several SEPs

    SepResult list(Json arguments) {
        return new SepListQueryHandler(process(), openSeps, index, sepReader, peopleResolver).list(arguments);
    }

    SepResult inbox(Json arguments) {
        List<OpenSepCache.Entry> all = openSeps.pendingFor(actor());
        List<OpenSepCache.Entry> page = all.stream().limit(pageLimit(arguments)).toList();
        return success(writer -> {
            JsonGenerator json = writer.json();
            json.writeNumberProperty("count", all.size()).writeArrayPropertyStart("seps");
            for (OpenSepCache.Entry entry : page) {
                LifecycleGuidance guidance = guidance(entry.sep());
                json.writeStartObject();
                writer.summary(SepSummary.of(entry.sep(), process()));
                writer.mustAct(entry.mustAct());
                json.writeStringProperty("holdingSince", entry.since().toString())
                        .writeStringProperty("because", inboxReason(entry))
                        .writeStringProperty("nextStep", guidance.nextStep());
                SepJsonWriter.expected(json, guidance.nextDeadline());
                json.writeEndObject();
            }
            json.writeEndArray();
            outcomes(writer, pageLimit(arguments));
        });
    }

    /** Writes the outcomes that the caller has not acted on, the latest first. */
    private void outcomes(SepJsonWriter writer, int limit) {
        record SepOutcome(Sep sep, OutcomeFinder.Outcome outcome) {}
        Person reader = actor().person();
        Instant since = now.minus(OUTCOME_AGE);
        JsonGenerator json = writer.json();
        json.writeArrayPropertyStart("outcomes");
        Stream.concat(
                        openSeps.openEntries().stream().map(OpenSepCache.Entry::sep),
                        index.movedSince(since).stream()
                                .filter(number -> openSeps.entry(number).isEmpty())
                                .flatMap(number -> openSeps.findReadable(number).stream()))
                .filter(sep -> isInvolved(reader, sep))
                .flatMap(sep -> new OutcomeFinder(process(), externalFacts(sep))
                        .findFor(reader, sep, since).stream().map(outcome -> new SepOutcome(sep, outcome)))
                .sorted(Comparator.comparing(
                                (SepOutcome each) -> each.outcome().event().at())
                        .reversed()
                        .thenComparingInt(each -> each.sep().number()))
                .limit(limit)
                .forEach(each -> {
                    json.writeStartObject()
                            .writeNumberProperty("number", each.sep().number())
                            .writeStringProperty("title", each.sep().title())
                            .writeStringProperty("status", each.sep().state())
                            .writeStringProperty("kind", each.outcome().votesVoided() ? "votes-voided" : "outcome")
                            .writeStringProperty(
                                    "by", writer.id(each.outcome().event().by().person()))
                            .writeStringProperty(
                                    "at", each.outcome().event().at().toString())
                            .writeStringProperty("text", each.outcome().text())
                            .writeEndObject();
                });
        json.writeEndArray();
    }

    /** Whether a person holds a role in a SEP or ever acted on it; outcomes concern no one else. */
    private static boolean isInvolved(Person person, Sep sep) {
        return sep.snapshot().lastActivityByPerson().lastActivityOf(person).isPresent()
                || sep.snapshot().holders().byRole().keySet().stream()
                        .anyMatch(role -> sep.snapshot().holders().holds(person, role));
    }

    private String inboxReason(OpenSepCache.Entry entry) {
        Actor reader = actor();
        return entry.mustAct().stream()
                .filter(assignment -> assignment.party().equals(reader.person())
                        || (assignment.party() instanceof RoleGroup group
                                && process().expandActorRoles(reader.roles()).contains(group.role())))
                .findFirst()
                .map(assignment -> "waiting for you as " + assignment.role() + " since "
                        + SepJsonWriter.isoDate(assignment.since()))
                .orElse("you were asked a question");
    }

    /** Returns the open SEPs without a sponsor, those without a response for the longest time first. */
    SepResult triage(Json arguments) {
        record Waiting(Sep sep, Instant since, boolean answered) {}
        List<Waiting> all = new ArrayList<>();
        SepSummary.sponsorRole(process())
                .ifPresent(role -> openSeps.openEntries().stream()
                        .map(OpenSepCache.Entry::sep)
                        .filter(sep -> process().state(sep.state()).isOpen()
                                && lifecycleEngine.isVacant(sep.history(), role.name(), externalFacts(sep), now))
                        .forEach(sep -> {
                            Optional<Instant> answer = role.eligibleRole()
                                    .flatMap(from -> sep.snapshot()
                                            .lastActivityByPerson()
                                            .lastAnswerOf(from));
                            all.add(new Waiting(
                                    sep, answer.orElse(sep.snapshot().submittedAt()), answer.isPresent()));
                        }));
        all.sort(Comparator.comparing(Waiting::since)
                .thenComparingInt(waiting -> waiting.sep().number()));
        List<Waiting> page = all.stream().limit(pageLimit(arguments)).toList();
        return success(writer -> {
            JsonGenerator json = writer.json();
            json.writeNumberProperty("count", all.size()).writeArrayPropertyStart("seps");
            for (Waiting waiting : page) {
                json.writeStartObject();
                writer.summary(SepSummary.of(waiting.sep(), process()));
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

    SepResult maintainers() {
        Optional<Role.ProposalRole> role = SepSummary.sponsorRole(process());
        Map<Person, Set<Integer>> held =
                role.map(each -> openSeps.numbersByHolder(each.name())).orElse(Map.of());
        return success(writer -> {
            JsonGenerator json = writer.json();
            json.writeArrayPropertyStart("maintainers");
            for (PeopleDirectory.KnownPerson knownPerson : peopleResolver.roleHolders()) {
                Set<Integer> sponsors = new TreeSet<>(held.getOrDefault(new Person(knownPerson.id()), Set.of()));
                json.writeStartObject()
                        .writeStringProperty("id", knownPerson.id())
                        .writeStringProperty("name", knownPerson.name());
                SepJsonWriter.strings(
                        json,
                        "roles",
                        knownPerson.roles().stream()
                                .filter(each -> process().roles().containsKey(each))
                                .sorted()
                                .toList());
                SepJsonWriter.strings(json, "handles", knownPerson.handles());
                SepJsonWriter.numbers(json, "sponsors", sponsors);
                json.writeNumberProperty("load", sponsors.size())
                        .writeNumberProperty("limit", sponsorLimit)
                        .writeBooleanProperty("over", sponsors.size() > sponsorLimit)
                        .writeEndObject();
            }
            json.writeEndArray();
        });
    }

    SepResult stats() {
        Stats stats = Stats.of(sepReader.all(), process(), this::externalFacts, now);
        return new SepResult.Success(SepJsonWriter.withNames(
                StatsJsonCodec.encode(stats),
                peopleResolver,
                Stream.concat(
                        stats.loads().stream().map(Stats.Load::who),
                        stats.stuck().stream().flatMap(stuck -> stuck.mustAct().stream()))));
    }
}
