package dev.gavel.sep.board;

import dev.gavel.lifecycle.ExternalFacts;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.PersonOrGroup;
import dev.gavel.lifecycle.actor.RoleGroup;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.process.ProposalTerms;
import dev.gavel.sep.Sep;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Everything needed to write the static board: the SEPs, their process, and functions that look up documents and facts.
 * Immutable, as far as its functions are.
 *
 * @param title the title of the site
 * @param note a note for readers about the source of the data; may be empty
 * @param seps the SEPs; their numbers are unique and their states belong to the process
 * @param text looks up the document text of a SEP; returns an empty text if there is none
 * @param summary looks up the text by which similar SEPs are found; returns an empty text if it is not known
 * @param render renders a document to safe HTML, which is put into pages without escaping
 * @param externalFacts looks up the facts about a SEP that are not in its history
 * @param names the names that pages use for people; an absent person is called by the login
 * @param now the moment the board shows
 */
public record BoardInput(
        String title,
        String note,
        ProcessDefinition processDefinition,
        List<Sep> seps,
        Function<Sep, String> text,
        Function<Sep, String> summary,
        Function<String, String> render,
        Function<Sep, ExternalFacts> externalFacts,
        Map<Person, String> names,
        Instant now) {
    public BoardInput {
        seps = seps.stream().sorted(Comparator.comparingInt(Sep::number)).toList();
        names = Map.copyOf(names);
    }

    /** Returns how pages name the proposals. */
    public ProposalTerms terms() {
        return processDefinition.terms();
    }

    /** Returns the name that pages use for a person. */
    String name(Person person) {
        return names.getOrDefault(person, person.login());
    }

    /** Returns the name that pages use for a person, or the title of a role. */
    String name(PersonOrGroup personOrGroup) {
        return switch (personOrGroup) {
            case Person person -> name(person);
            case RoleGroup group -> processDefinition.title(group.role());
        };
    }
}
