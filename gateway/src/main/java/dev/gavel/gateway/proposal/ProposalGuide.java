package dev.gavel.gateway.proposal;

import dev.gavel.lifecycle.answer.Guidance;
import dev.gavel.lifecycle.answer.Guidance.Expectation;
import dev.gavel.lifecycle.answer.Guidance.Holding;
import dev.gavel.lifecycle.answer.Prospect;
import dev.gavel.lifecycle.people.Party;
import dev.gavel.lifecycle.people.Person;
import dev.gavel.mcpx.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Tells a reader how a proposal stands, whose move it is and what to do: its proposer, somebody who could decide it, or
 * anybody else in the topic. A pure function of its parts.
 *
 * @param offers whether a participant says that it can run the call
 * @param reader the member who is told
 */
public record ProposalGuide(
        Proposal proposal,
        Circle circle,
        Members members,
        Presence presence,
        Predicate<String> offers,
        String reader,
        Instant now) {
    public ProposalGuide {
        proposal = proposal.asOf(now);
    }

    /** What there is to know at this moment. */
    public Guidance guidance() {
        ProposalWords words = new ProposalWords(proposal, circle, presence, now);
        return new Guidance(
                state().word(),
                words.status(),
                proposal.since(),
                mustAct(),
                parties(words.awaited()),
                new NextStep(this, words).text(),
                prospects(),
                expected());
    }

    /**
     * Who is here and could run the call, in that they may answer it: those who say that they offer it, where anybody does,
     * and of these, or of all, those in its {@code to}. Where neither helps, anybody but its proposer and whoever asks.
     * Nobody once it has ended.
     */
    public List<String> couldRun() {
        if (state() != ProposalState.OPEN) {
            return List.of();
        }
        Kind answer = proposal.call().withOperation("response");
        List<String> able = members.capabilities().keySet().stream()
                .filter(presence::here)
                .filter(id -> !id.equals(proposal.proposer()) && members.mayEver(id, answer))
                .toList();
        List<String> offering = able.stream().filter(offers).toList();
        List<String> known = offering.isEmpty() ? able : offering;
        List<String> addressed = known.stream().filter(proposal.to()::contains).toList();
        if (!addressed.isEmpty()) {
            return addressed;
        }
        return offering.isEmpty()
                ? able.stream().filter(id -> !id.equals(reader)).toList()
                : offering;
    }

    ProposalState state() {
        return proposal.state();
    }

    boolean readerProposed() {
        return reader.equals(proposal.proposer());
    }

    boolean readerCouldFulfil() {
        return circle.couldFulfil().contains(reader);
    }

    boolean readerMayReject() {
        return members.mayReject(reader);
    }

    /** Those whose move it is and who are here to make it. */
    private List<Holding> mustAct() {
        Fulfilment call = proposal.fulfilment();
        if (call != null) {
            return call.outcome() == Outcome.PENDING
                    ? holding(presence.hereOf(call.addressees()), "addressee", call.since())
                    : List.of();
        }
        return state() == ProposalState.OPEN
                ? holding(
                        presence.hereOf(circle.deciders(ProposalWords.rejecters(proposal))),
                        "reviewer",
                        proposal.since())
                : List.of();
    }

    private static List<Holding> holding(List<String> ids, String as, Instant since) {
        return ids.stream().map(id -> new Holding(new Person(id), as, since)).toList();
    }

    private static List<Party> parties(Collection<String> ids) {
        return ids.stream().<Party>map(Person::new).toList();
    }

    private List<Prospect> prospects() {
        if (state() != ProposalState.OPEN) {
            return List.of();
        }
        List<Prospect> prospects = new ArrayList<>();
        prospects.add(
                circle.couldFulfil().isEmpty()
                        ? Prospect.barred(ProposalState.FULFILLED.word(), "Nobody in this topic may do this.")
                        : prospect(ProposalState.FULFILLED, circle.couldFulfil()));
        prospects.add(prospect(
                ProposalState.REJECTED,
                members.capabilities().keySet().stream()
                        .filter(id -> members.mayReject(id) && circle.counts(id))
                        .toList()));
        prospects.add(prospect(ProposalState.WITHDRAWN, List.of(proposal.proposer())));
        return prospects;
    }

    private Prospect prospect(ProposalState to, Collection<String> who) {
        return new Prospect(
                to.word(), parties(who), ProposalWords.choice(who), who.contains(reader), List.of(), Optional.empty());
    }

    private Optional<Expectation> expected() {
        if (state() == ProposalState.OPEN) {
            return Optional.of(new Expectation(proposal.expiresAt(), "it expires"));
        }
        Fulfilment call = proposal.fulfilment();
        return call != null && call.outcome() == Outcome.PENDING
                ? Optional.of(new Expectation(call.request().answerBy(), "its outcome counts as unknown"))
                : Optional.empty();
    }
}
