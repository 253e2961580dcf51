package dev.gavel.sep.service;

import dev.gavel.lifecycle.ExternalFacts;
import dev.gavel.lifecycle.ExternalFacts.Fact;
import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.process.EvidenceDefinition;
import dev.gavel.lifecycle.process.MoveRequirement;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.process.ProposalTerms;
import dev.gavel.lifecycle.process.StateDefinition;
import dev.gavel.sep.Sep;
import dev.gavel.sep.document.DocumentMetadata;
import dev.gavel.sep.document.SectionNames;
import dev.gavel.sep.store.SepSummary;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * Checks the facts that a process may require of a SEP: it has a title and sections, and its successor names it. A
 * process file uses the names defined here.
 */
final class SepFactEvaluator {
    /** The kind of evidence that names the successor of a SEP. */
    static final String SUCCESSOR = "successor";

    /**
     * The prefix of roles in the successor: a person who holds a role in the successor has the role with this prefix in
     * the SEP that it replaces.
     */
    static final String SUCCESSOR_ROLE_PREFIX = "successor-";

    private static final String TITLED = "titled";
    private static final String COMPLETE = "complete";
    private static final String SECTION = "section-";
    private static final String NAMED_BACK = "named-back";

    private SepFactEvaluator() {}

    /** Returns the facts of a process that cannot be evaluated here. */
    static List<String> unsupportedFacts(ProcessDefinition processDefinition) {
        SectionNames sectionNames = SectionNames.of(processDefinition.documentFormat());
        return processDefinition.facts().keySet().stream()
                .filter(fact -> !fact.equals(TITLED)
                        && !fact.equals(COMPLETE)
                        && !fact.equals(NAMED_BACK)
                        && !fact.startsWith(SECTION)
                        && !sectionNames.isStandard(sectionNames.standardSlug(fact)))
                .toList();
    }

    /** Returns the facts of a document. */
    static ExternalFacts of(
            DocumentMetadata documentMetadata, ProcessDefinition processDefinition, PeopleResolver peopleResolver) {
        SectionNames sectionNames = SectionNames.of(processDefinition.documentFormat());
        Map<String, Fact> facts = new HashMap<>();
        for (String fact : processDefinition.facts().keySet()) {
            if (fact.equals(TITLED)) {
                facts.put(fact, fact(!documentMetadata.title().isBlank(), "the title is missing"));
            } else if (fact.equals(COMPLETE)) {
                List<String> missing = sectionNames.completeSlugs().stream()
                        .filter(section -> !documentMetadata.sections().contains(section))
                        .map(sectionNames::title)
                        .toList();
                facts.put(
                        fact,
                        fact(missing.isEmpty(), "these sections are missing or empty: " + String.join(", ", missing)));
            } else if (!fact.equals(NAMED_BACK)) {
                String section =
                        sectionNames.standardSlug(fact.startsWith(SECTION) ? fact.substring(SECTION.length()) : fact);
                facts.put(
                        fact,
                        fact(
                                documentMetadata.sections().contains(section),
                                "the " + sectionHeading(sectionNames, section) + " section is missing or empty"));
            }
        }
        return new ExternalFacts(peopleResolver.members(), facts, peopleResolver.names());
    }

    private static Fact fact(boolean holds, String otherwise) {
        return new Fact(holds, holds ? "" : otherwise);
    }

    /** Returns the heading of a section. */
    private static String sectionHeading(SectionNames sectionNames, String slug) {
        if (sectionNames.isStandard(slug)) {
            return sectionNames.title(slug);
        }
        StringBuilder text = new StringBuilder();
        for (String word : slug.split("-", -1)) {
            text.append(text.isEmpty() ? "" : " ");
            text.append(word.isEmpty() ? "" : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        return text.toString();
    }

    /**
     * Returns the facts of a SEP.
     *
     * @param offeredEvidence the evidence of an intended move
     * @param sepLookup looks up another SEP
     */
    static ExternalFacts of(
            Sep sep,
            List<Evidence> offeredEvidence,
            ProcessDefinition processDefinition,
            PeopleResolver peopleResolver,
            IntFunction<Optional<Sep>> sepLookup) {
        ExternalFacts documentFacts = of(sep.metadata(), processDefinition, peopleResolver);
        if (!processDefinition.facts().containsKey(NAMED_BACK)) {
            return documentFacts;
        }
        Optional<String> successorText = successor(sep, offeredEvidence);
        Optional<Sep> successor =
                successorText.flatMap(processDefinition.terms()::parseNumber).flatMap(sepLookup::apply);
        if (successor.isEmpty()) {
            return documentFacts.withUnmetFact(
                    NAMED_BACK,
                    successorText
                            .map(number ->
                                    "there is no " + processDefinition.terms().numberLabel(number))
                            .orElse("the document of the successor must contain 'Supersedes: " + sep.number() + "'"));
        }
        return whyUnsuitable(sep, successor.get(), processDefinition, sepLookup)
                .map(why -> documentFacts.withUnmetFact(NAMED_BACK, why))
                .orElseGet(() -> documentFacts.withFact(NAMED_BACK));
    }

    /** Returns why a SEP cannot be the successor of another; empty if it can. */
    private static Optional<String> whyUnsuitable(
            Sep sep, Sep successor, ProcessDefinition processDefinition, IntFunction<Optional<Sep>> sepLookup) {
        ProposalTerms terms = processDefinition.terms();
        if (successor.number() == sep.number()) {
            return Optional.of(terms.text("{a proposal} cannot be its own successor; name another {proposal}"));
        }
        if (!successor.metadata().declaredSepRelations().supersedes().contains(sep.number())) {
            return Optional.of("the document of " + terms.name() + " " + successor.number()
                    + " must contain 'Supersedes: " + sep.number() + "' in its preamble");
        }
        StateDefinition state = processDefinition.states().get(successor.state());
        if (state != null && state.isEnd()) {
            return Optional.of(terms.name() + " " + successor.number() + " is " + successor.state()
                    + ", which is an end state; name another " + terms.name());
        }
        if (isDecided(sep.state(), processDefinition) && !isDecided(successor.state(), processDefinition)) {
            return Optional.of(terms.name() + " " + sep.number() + " was decided on, but " + terms.name() + " "
                    + successor.number() + " is " + successor.state() + "; it must be decided on first");
        }
        Set<Integer> seen = new HashSet<>();
        Optional<Sep> next = Optional.of(successor);
        while (next.isPresent() && seen.add(next.get().number())) {
            if (next.get().number() == sep.number()) {
                return Optional.of(terms.name() + " " + successor.number() + " is itself superseded by " + terms.name()
                        + " " + sep.number() + ", directly or through other " + terms.plural());
            }
            next = successor(next.get(), List.of())
                    .flatMap(processDefinition.terms()::parseNumber)
                    .flatMap(sepLookup::apply);
        }
        return Optional.empty();
    }

    /** Whether a carried vote leads to a state, or the state is settled in a process with votes and leads only to ends. */
    private static boolean isDecided(String state, ProcessDefinition processDefinition) {
        boolean carried = processDefinition.moveDefinitions().stream()
                .filter(moveDefinition -> moveDefinition.to().equals(state))
                .flatMap(moveDefinition -> moveDefinition.requirements().stream())
                .flatMap(MoveRequirement::evidenceKinds)
                .anyMatch(kind -> processDefinition.evidenceKind(kind).format() == EvidenceDefinition.Format.TALLY);
        StateDefinition stateDefinition = processDefinition.states().get(state);
        return carried
                || (stateDefinition != null
                        && !stateDefinition.isOpen()
                        && !processDefinition.votes().isEmpty()
                        && processDefinition.movesFrom(state).stream()
                                .allMatch(moveDefinition -> processDefinition
                                        .state(moveDefinition.to())
                                        .isEnd()));
    }

    private static Optional<String> successor(Sep sep, List<Evidence> offeredEvidence) {
        return offeredEvidence.stream()
                .filter(piece -> piece.kind().equals(SUCCESSOR))
                .map(Evidence::value)
                .findFirst()
                .or(() -> sep.snapshot().evidence().latest(SUCCESSOR).map(latest -> latest.value()));
    }

    /** Returns the actor with the additional roles that come from roles in the successor. */
    static Actor withSuccessorRoles(
            Actor actor,
            Sep sep,
            List<Evidence> offeredEvidence,
            ProcessDefinition processDefinition,
            IntFunction<Optional<Sep>> sepLookup) {
        Optional<Sep> successor = successor(sep, offeredEvidence)
                .flatMap(processDefinition.terms()::parseNumber)
                .flatMap(sepLookup::apply);
        if (successor.isEmpty()) {
            return actor;
        }
        List<String> roles = new ArrayList<>(actor.roles());
        SepSummary.sponsorRole(processDefinition)
                .filter(role -> processDefinition.roles().containsKey(SUCCESSOR_ROLE_PREFIX + role.name()))
                .filter(role -> successor.get().snapshot().holders().holds(actor.person(), role.name()))
                // A person who lacks the role required for holding the successor's role gets no role from it.
                .filter(role -> processDefinition
                        .expandActorRoles(actor.roles())
                        .containsAll(role.eligibleRole().stream().toList()))
                .ifPresent(role -> roles.add(SUCCESSOR_ROLE_PREFIX + role.name()));
        return new Actor(actor.person(), roles);
    }
}
