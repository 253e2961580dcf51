package dev.gavel.sep.store;

import dev.gavel.ledger.LedgerBody;
import dev.gavel.ledger.SubjectSummary;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.history.LifecycleSnapshot;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.Sep;
import dev.gavel.sep.document.DeclaredSepRelations;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A SEP's title, state and other key facts, stored so that SEPs can be listed without replaying their events.
 * Immutable.
 *
 * @param submitter the identity that submitted or imported the SEP; its submissions are limited
 * @param sponsor the person who holds the sponsor role, if there is one
 * @param since when the SEP entered its state
 * @param documentHash the hash of its document
 * @param askedSince since when a question about the SEP is unanswered
 */
public record SepSummary(
        int number,
        String title,
        String state,
        boolean open,
        String type,
        List<String> authors,
        String submitter,
        Optional<String> sponsor,
        Instant submitted,
        Instant since,
        String documentHash,
        DeclaredSepRelations declaredSepRelations,
        Optional<Instant> askedSince) {
    public SepSummary {
        authors = List.copyOf(authors);
    }

    /** Returns the summary of a SEP. */
    public static SepSummary of(Sep sep, ProcessDefinition processDefinition) {
        LifecycleSnapshot lifecycleSnapshot = sep.snapshot();
        String type = Optional.ofNullable(lifecycleSnapshot.attributes().get("type"))
                .or(() -> Optional.ofNullable(processDefinition.attributes().get("type"))
                        .flatMap(known -> known.defaultValue()))
                .orElse("");
        return new SepSummary(
                sep.number(),
                sep.title(),
                sep.state(),
                processDefinition.state(sep.state()).isOpen(),
                type,
                lifecycleSnapshot.proposers().stream().map(Person::login).toList(),
                sep.history().events().getFirst().by().person().login(),
                sponsorRole(processDefinition)
                        .flatMap(role -> lifecycleSnapshot.holders().people(role.name()).stream()
                                .map(Person::login)
                                .findFirst()),
                sep.submittedAt(),
                lifecycleSnapshot.since(),
                sep.documentHash(),
                sep.metadata().declaredSepRelations(),
                lifecycleSnapshot.lastActivityByPerson().openQuestions().stream()
                        .map(LifecycleEvent::at)
                        .min(Comparator.naturalOrder()));
    }

    /**
     * Returns the sponsor role: the first role that is held in a single SEP and requires another role of its holder.
     * The sponsor looks after the SEP.
     */
    public static Optional<Role.ProposalRole> sponsorRole(ProcessDefinition processDefinition) {
        return processDefinition.roles().values().stream()
                .<Role.ProposalRole>mapMulti((role, found) -> {
                    if (role instanceof Role.ProposalRole proposalRole
                            && proposalRole.eligibleRole().isPresent()) {
                        found.accept(proposalRole);
                    }
                })
                .findFirst();
    }

    /** Returns a copy with all persons mapped to their current identities. */
    SepSummary withResolvedPeople(UnaryOperator<Person> who) {
        return new SepSummary(
                number,
                title,
                state,
                open,
                type,
                authors.stream()
                        .map(login -> who.apply(new Person(login)).login())
                        .toList(),
                submitter,
                sponsor.map(login -> who.apply(new Person(login)).login()),
                submitted,
                since,
                documentHash,
                declaredSepRelations,
                askedSince);
    }

    /** Returns the summary in the form that the ledger stores. */
    public SubjectSummary toLedgerSummary(long lastSeq) {
        Json body = Json.write(json -> {
            json.writeStartObject().writeStringProperty("title", title).writeStringProperty("type", type);
            json.writeArrayPropertyStart("authors");
            authors.forEach(json::writeString);
            json.writeEndArray();
            sponsor.ifPresent(who -> json.writeStringProperty("sponsor", who));
            json.writeStringProperty("since", since.toString()).writeStringProperty("document", documentHash);
            LinkedSepNumbersCodec.write(json, declaredSepRelations);
            json.writeEndObject();
        });
        return new SubjectSummary(
                SepStreamNames.SEPS,
                Integer.toString(number),
                state,
                open,
                submitter,
                // The due index of the ledger finds the SEPs with an unanswered question by this time, also those on
                // which no one must act.
                askedSince.orElse(null),
                submitted,
                null,
                lastSeq,
                LedgerBody.of(body.raw()));
    }

    /** Reads the output of {@link #toLedgerSummary}. */
    public static SepSummary fromLedgerSummary(SubjectSummary summary) {
        Json body = Json.parse(summary.body().toString())
                .orElseThrow(() -> new UnreadableSepException("the summary of proposal " + summary.subject()
                        + " cannot be read; run 'gavel ledger rebuild'"));
        return new SepSummary(
                SepReplayer.parseNumber(summary.subject()),
                body.at("title").text(),
                summary.state(),
                summary.open(),
                body.at("type").text(),
                body.at("authors").texts(),
                summary.owner(),
                body.at("sponsor").asText(),
                summary.startedAt(),
                Instant.parse(body.at("since").text()),
                body.at("document").text(),
                LinkedSepNumbersCodec.read(body),
                Optional.ofNullable(summary.dueAt()));
    }
}
