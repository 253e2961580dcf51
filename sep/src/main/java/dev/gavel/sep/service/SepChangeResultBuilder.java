package dev.gavel.sep.service;

import dev.gavel.ledger.LedgerException;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.result.LifecycleRefusal;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.Sep;
import dev.gavel.sep.document.DocumentChanges;
import dev.gavel.sep.store.SepSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JsonGenerator;

/**
 * Builds the answer to a caller's change of a SEP: if applied, the new summary, advice and next steps; otherwise the
 * refusal.
 */
record SepChangeResultBuilder(SepQueries queries) {
    private static final Logger log = LoggerFactory.getLogger(SepChangeResultBuilder.class);

    SepResult toResult(SepChangeResult sepChangeResult) {
        return toResult(sepChangeResult, List.of(), json -> {});
    }

    /**
     * Returns the result of a change.
     *
     * @param advice additional advice
     * @param extraProperties writes additional properties if the change was applied
     */
    SepResult toResult(SepChangeResult sepChangeResult, List<String> advice, Consumer<JsonGenerator> extraProperties) {
        return switch (sepChangeResult) {
            case SepChangeResult.Applied applied -> applied(applied, advice, extraProperties);
            case SepChangeResult.Refused(LifecycleRefusal refusal) ->
                new SepResult.Refused(
                        refusal.code(),
                        refusal.message(),
                        SepJsonWriter.write(queries.peopleResolver(), writer -> writer.refusal(refusal)));
            case SepChangeResult.DocumentChanged(Sep sep, String readHash) -> documentChanged(sep, readHash);
            case SepChangeResult.Invalid(String message) -> new SepResult.InvalidRequest(message);
            case SepChangeResult.NotFound(int number) -> queries.notFound(number);
        };
    }

    private SepResult applied(
            SepChangeResult.Applied applied, List<String> extraAdvice, Consumer<JsonGenerator> extraProperties) {
        Sep sep = applied.sep();
        List<String> advice = new ArrayList<>(applied.advice());
        advice.addAll(extraAdvice);
        advice.addAll(overloadAdvice(applied));
        Consumer<SepJsonWriter> changeWriter = writer -> {
            JsonGenerator json = writer.json();
            writer.summary(SepSummary.of(sep, process()));
            SepJsonWriter.strings(
                    json,
                    "did",
                    applied.events().stream()
                            .map(new SepEventSentenceFormatter(queries.peopleResolver(), process())::format)
                            .toList());
            SepJsonWriter.strings(json, "advice", advice);
        };
        try {
            return new SepResult.Success(SepJsonWriter.write(queries.peopleResolver(), writer -> {
                changeWriter.accept(writer);
                extraProperties.accept(writer.json());
                writer.json().writeObjectPropertyStart("next");
                queries.next(writer, sep);
                writer.json().writeEndObject();
            }));
        } catch (LedgerException e) {
            // The change is stored, so the result is a success even if related data cannot be read.
            log.error("Proposal {} was changed, but its guidance cannot be read: {}", sep.number(), e.getMessage());
            return new SepResult.Success(SepJsonWriter.write(queries.peopleResolver(), changeWriter));
        }
    }

    /** Returns the refusal of a change by a caller who has read another version of the document. */
    private SepResult documentChanged(Sep sep, String readHash) {
        DocumentVersionComparer versions = queries.documentVersions(sep);
        Optional<String> read = versions.resolve(readHash);
        Optional<DocumentChanges> changes = read.flatMap(hash -> versions.changesBetween(hash, sep.documentHash()));
        String editor = sep.history().events().reversed().stream()
                .filter(event -> event instanceof LifecycleEvent.Edited)
                .findFirst()
                .map(event -> queries.peopleResolver().name(event.by().person()))
                .orElse("Another person");
        String message = read.isEmpty()
                ? process().terms().numberLabel(sep.number()) + " never had the document " + readHash
                        + ". Its document is " + DocumentVersionComparer.shortHash(sep.documentHash()) + "."
                : editor + " has changed the document in the meantime. "
                        + changes.map(DocumentVersionComparer::describe)
                                .map(parts -> "Changed: " + parts + ". ")
                                .orElse("")
                        + "Read the current document ("
                        + DocumentVersionComparer.shortHash(sep.documentHash())
                        + "), then send your request again.";
        return new SepResult.Refused("changed-since", message, SepJsonWriter.write(queries.peopleResolver(), writer -> {
            writer.json().writeStringProperty("hash", sep.documentHash());
            changes.ifPresent(found -> DocumentVersionComparer.write(writer.json(), found));
        }));
    }

    private ProcessDefinition process() {
        return queries.lifecycleEngine().processDefinition();
    }

    /** Returns advice for a sponsor who has more SEPs than recommended. */
    private List<String> overloadAdvice(SepChangeResult.Applied applied) {
        List<String> messages = new ArrayList<>();
        for (LifecycleEvent event : applied.events()) {
            if (event instanceof LifecycleEvent.RoleTaken taken && isSponsor(taken.role())) {
                Person person = taken.person();
                int load = queries.openSeps()
                        .numbersByHolder(taken.role())
                        .getOrDefault(person, Set.of())
                        .size();
                if (load > queries.sponsorLimit()) {
                    messages.add(queries.peopleResolver().name(person) + " now sponsors "
                            + process().terms().count(load) + "; the recommended limit is " + queries.sponsorLimit()
                            + ".");
                }
            }
        }
        return messages;
    }

    private boolean isSponsor(String role) {
        return SepSummary.sponsorRole(process())
                .filter(proposalRole -> proposalRole.name().equals(role))
                .isPresent();
    }

    /** Returns the refusal of an operation on all SEPs, which only voters and administrators may use. */
    SepResult notAllowed(String actionText) {
        List<String> roleTitles = new ArrayList<>();
        process().votes().values().forEach(vote -> roleTitles.add(process().title(vote.voterRole())));
        roleTitles.add("an " + LedgerSepService.ADMIN);
        return new SepResult.Refused(
                "not-allowed",
                "Only " + String.join(" or ", roleTitles.stream().distinct().toList()) + " can " + actionText + ".",
                Json.object());
    }

    /** Whether the caller may vote in the process or administers the server. */
    boolean mayAdminister() {
        return SepCommandExecutor.mayAdminister(process(), queries.caller().roles());
    }
}
