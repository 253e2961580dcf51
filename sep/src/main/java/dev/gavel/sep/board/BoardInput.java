package dev.gavel.sep.board;

import dev.gavel.lifecycle.ExternalFacts;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.sep.Sep;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * The SEPs, the process and the lookup functions that the static board is written from. Immutable, as far as its
 * functions are.
 *
 * @param title what the site is called
 * @param note what whoever reads it should know of where it comes from; may be empty
 * @param seps each of another number, and each in a state of the process
 * @param text looks up a document as it was written; empty where there is none
 * @param summary looks up what similarity to a document is found by; empty where that is not known
 * @param render makes safe HTML of a document: what it gives is put into pages as it is
 * @param externalFacts what is so of a proposal outside its history
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
        Instant now) {
    public BoardInput {
        seps = seps.stream().sorted(Comparator.comparingInt(Sep::number)).toList();
    }
}
