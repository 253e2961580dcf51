package dev.gavel.sep.service;

import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.sep.Sep;
import dev.gavel.sep.document.Author;
import dev.gavel.sep.document.Document;
import dev.gavel.sep.store.SepSummary;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Writes the current status and sponsor of a SEP into all such fields of its document, and leaves every other character unchanged.
 * Immutable.
 */
public final class DocumentExporter {
    private static final String NO_SPONSOR = "None";

    private final ProcessDefinition processDefinition;
    private final PeopleResolver peopleResolver;

    /** @param people the people that the server knows */
    public DocumentExporter(ProcessDefinition processDefinition, List<PeopleDirectory.KnownPerson> people) {
        this(processDefinition, new PeopleResolver(people, processDefinition));
    }

    DocumentExporter(ProcessDefinition processDefinition, PeopleResolver peopleResolver) {
        this.processDefinition = processDefinition;
        this.peopleResolver = peopleResolver;
    }

    /** Returns the document text. A status or sponsor that already means the current one is left unchanged. */
    public String text(Sep sep, String documentText) {
        return withSponsor(sep, read(withStatus(sep, read(documentText))));
    }

    private String withStatus(Sep sep, Document document) {
        Predicate<String> held = role -> !sep.snapshot().holders().holders(role).isEmpty()
                || processDefinition.findProposalRole(role).isEmpty();
        return document.withStatus(
                statusWord(sep.state(), document),
                word -> processDefinition
                        .resolveState(word, held)
                        .map(sep.state()::equals)
                        .orElseGet(() -> isAsImported(sep)));
    }

    /** Whether a SEP still has the state that its import gave it, even if its document states an unknown status. */
    private static boolean isAsImported(Sep sep) {
        return sep.documentPath().isPresent()
                && sep.history().events().stream().noneMatch(LifecycleEvent.Moved.class::isInstance);
    }

    private String withSponsor(Sep sep, Document document) {
        if (SepSummary.sponsorRole(processDefinition).isEmpty()) {
            return document.text();
        }
        Optional<Person> sponsor = SepSummary.sponsorRole(processDefinition)
                .flatMap(role ->
                        sep.snapshot().holders().people(role.name()).stream().findFirst())
                .map(peopleResolver::resolveStored);
        Predicate<Optional<Author>> isCurrent =
                declared -> declared.map(peopleResolver::resolve).equals(sponsor);
        if (sponsor.isEmpty()) {
            return document.withSponsor(NO_SPONSOR, isCurrent);
        }
        String withName = document.withSponsor(peopleResolver.asAuthor(sponsor.get(), true), isCurrent);
        // A name with a comma, for example, would be read as two people.
        return isCurrent.test(read(withName).sponsors().stream().findFirst())
                ? withName
                : document.withSponsor(peopleResolver.asAuthor(sponsor.get(), false), isCurrent);
    }

    private Document read(String text) {
        return Document.read(text, processDefinition.documentFormat());
    }

    /**
     * Returns the word for a state as the project writes it: with spaces if the process knows it so, and in lower case
     * if the document's status is in lower case.
     */
    private String statusWord(String state, Document document) {
        String spaced = state.replace('-', ' ');
        boolean hasSpaces =
                processDefinition.findState(spaced).filter(state::equals).isPresent();
        boolean lowerCase = document.metadata()
                .status()
                .filter(status -> status.equals(status.toLowerCase(Locale.ROOT)))
                .isPresent();
        if (lowerCase) {
            return hasSpaces ? spaced : state;
        }
        return hasSpaces
                ? Arrays.stream(spaced.split(" ", -1))
                        .map(DocumentExporter::capitalised)
                        .collect(Collectors.joining(" "))
                : capitalised(state);
    }

    private static String capitalised(String word) {
        return Character.toUpperCase(word.charAt(0)) + word.substring(1);
    }
}
