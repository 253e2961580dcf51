package dev.gavel.lifecycle.result;

import dev.gavel.lifecycle.actor.Person;
import java.time.Instant;

/**
 * Evidence for a specification proposal that counts only when a second person has confirmed it.
 *
 * @param kind the kind of the evidence
 * @param description the evidence, for people: a noun phrase such as "the recorded decision"
 * @param confirmingRole the role of which a person other than the giver must confirm it
 */
public record PendingConfirmation(
        String kind, String description, String value, Person givenBy, Instant givenAt, String confirmingRole) {}
