package dev.gavel.gateway.proposal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.proposal.ProposalEvent.Answered;
import dev.gavel.gateway.proposal.ProposalEvent.ClosedByRejections;
import dev.gavel.gateway.proposal.ProposalEvent.Expired;
import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import dev.gavel.gateway.proposal.ProposalEvent.NotForwarded;
import dev.gavel.gateway.proposal.ProposalEvent.OutcomeUnknown;
import dev.gavel.gateway.proposal.ProposalEvent.Withdrawn;
import dev.gavel.lifecycle.result.LifecycleGuidance;
import dev.gavel.mcpx.EnvelopeErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Properties that hold for every sequence of envelopes about a proposal. */
class ProposalDeciderPropertiesTest {
    private static final List<String> PEOPLE = List.of("agent", "rival", "alice", "bob", "carol", "dan", "files");
    private static final List<String> IDS = List.of("p", "q");

    /** An action of a member. */
    enum MemberAction {
        FULFIL,
        FULFIL_OTHERWISE,
        ANSWER,
        REJECT,
        ABSTAIN,
        WITHDRAW,
        STATUS,
        COME,
        LEAVE
    }

    /**
     * A member performs an action.
     *
     * @param after milliseconds since the previous attempt
     */
    record Attempt(MemberAction memberAction, String by, String about, String to, int after) {}

    /** A topic with two proposals, and a sequence of attempts. */
    record Scenario(boolean all, boolean selfApproval, List<String> to, List<String> absent, List<Attempt> attempts) {}

    @Provide
    Arbitrary<Scenario> tales() {
        Arbitrary<String> people = Arbitraries.of(PEOPLE);
        Arbitrary<Attempt> attempt = Combinators.combine(
                        Arbitraries.of(MemberAction.values()),
                        people,
                        Arbitraries.of(IDS),
                        people,
                        // Mostly short, otherwise every proposal would expire before its first event.
                        Arbitraries.of(0, 0, 0, 1, 1, 500, 500, 1_999, 2_000, 60_000, 299_999, 300_000, 600_000))
                .as(Attempt::new);
        return Combinators.combine(
                        Arbitraries.of(true, false),
                        Arbitraries.of(true, false),
                        people.list().ofMaxSize(3),
                        people.list().ofMaxSize(4),
                        attempt.list().ofMinSize(1).ofMaxSize(30))
                .as(Scenario::new);
    }

    /**
     * Runs a sequence of attempts. After each one everything that is due is applied, as the ledger's timer would do.
     */
    private static ProposalFixture run(Scenario scenario, BiConsumer<ProposalFixture, ProposalDeciderResult> after) {
        ProposalFixture proposalFixture = new ProposalFixture(new ProposalSettings(
                Duration.ofMinutes(15),
                Duration.ofHours(1),
                Duration.ofMinutes(10),
                scenario.all() ? ProposalSettings.RejectionPolicy.ALL : ProposalSettings.RejectionPolicy.VETO,
                scenario.selfApproval()));
        proposalFixture.leave(scenario.absent().toArray(String[]::new));
        String[] to = scenario.to().stream().distinct().toArray(String[]::new);
        after.accept(proposalFixture, proposalFixture.propose("p", ProposalFixture.WRITE, to));
        after.accept(proposalFixture, proposalFixture.propose("q", ProposalFixture.WRITE_TMP));
        for (Attempt attempt : scenario.attempts()) {
            proposalFixture.advanceTime(Duration.ofMillis(attempt.after()));
            after.accept(proposalFixture, tried(proposalFixture, attempt));
            for (String id : IDS) {
                after.accept(proposalFixture, proposalFixture.expireDue(id));
                after.accept(proposalFixture, proposalFixture.applyAbsence(id));
            }
        }
        return proposalFixture;
    }

    private static ProposalDeciderResult tried(ProposalFixture proposalFixture, Attempt attempt) {
        String by = attempt.by();
        String about = attempt.about();
        return switch (attempt.memberAction()) {
            case FULFIL -> proposalFixture.fulfil(by, about, attempt.to());
            case FULFIL_OTHERWISE ->
                proposalFixture.request(by, about, "mcp.request.tools/list", "{'method':'tools/list'}", attempt.to());
            case ANSWER ->
                proposalFixture.proposal(about).fulfilment() == null
                        ? new ProposalDeciderResult.Unchanged()
                        : proposalFixture.answer(by, about, "{'result':{}}");
            case REJECT -> proposalFixture.reject(by, "policy", IDS.toArray(String[]::new));
            case ABSTAIN -> proposalFixture.reject(by, "busy", about);
            case WITHDRAW -> proposalFixture.withdraw(by, about, "nowhere");
            case STATUS -> proposalFixture.remark(by, "status", "{'status':'unable'}", about);
            case COME -> {
                proposalFixture.join(by);
                yield new ProposalDeciderResult.Unchanged();
            }
            case LEAVE -> {
                proposalFixture.leave(by);
                yield new ProposalDeciderResult.Unchanged();
            }
        };
    }

    private static List<ProposalEvent> events(ProposalFixture proposalFixture, String id) {
        return proposalFixture.ledger.stream()
                .filter(uncommittedProposalEvent ->
                        uncommittedProposalEvent.subject().equals(id))
                .map(UncommittedProposalEvent::event)
                .toList();
    }

    private static boolean end(ProposalEvent event) {
        return event instanceof Fulfilled
                || event instanceof ClosedByRejections
                || event instanceof Withdrawn
                || event instanceof Expired;
    }

    @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
    void anEndComesOnceAndAfterItOnlyOutcomes(@ForAll("tales") Scenario scenario) {
        ProposalFixture proposalFixture = run(scenario, (_, _) -> {});
        for (String id : IDS) {
            List<ProposalEvent> events = events(proposalFixture, id);
            int first = 0;
            while (first < events.size() && !end(events.get(first))) {
                first++;
            }
            assertThat(events.stream().filter(ProposalDeciderPropertiesTest::end))
                    .hasSizeLessThanOrEqualTo(1);
            if (first < events.size()) {
                assertThat(events.subList(first + 1, events.size()))
                        .allMatch(event -> event instanceof Answered
                                || event instanceof OutcomeUnknown
                                || event instanceof NotForwarded);
            }
            assertThat(events.stream().filter(OutcomeUnknown.class::isInstance)).hasSizeLessThanOrEqualTo(1);
        }
    }

    @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
    void onlyTheProposerWithdrawsAndNobodyFulfilsTheirOwnUnlessAllowed(@ForAll("tales") Scenario scenario) {
        ProposalFixture proposalFixture = run(scenario, (_, _) -> {});
        for (UncommittedProposalEvent uncommittedProposalEvent : proposalFixture.ledger) {
            if (uncommittedProposalEvent.event() instanceof Withdrawn) {
                assertThat(uncommittedProposalEvent.actor()).isEqualTo("agent");
            }
            if (uncommittedProposalEvent.event() instanceof Fulfilled && !scenario.selfApproval()) {
                assertThat(uncommittedProposalEvent.actor()).isNotEqualTo("agent");
            }
            if (uncommittedProposalEvent.event() instanceof Answered) {
                Fulfilment call = Objects.requireNonNull(proposalFixture
                        .proposal(uncommittedProposalEvent.subject())
                        .fulfilment());
                assertThat(call.addressees()).contains(uncommittedProposalEvent.actor());
            }
        }
    }

    @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
    void whatIsReadBackFromTheLedgerIsTheStateThatWasDecidedOn(@ForAll("tales") Scenario scenario) {
        ProposalFixture proposalFixture = run(scenario, (_, _) -> {});
        for (String id : IDS) {
            ProposalSnapshot proposalSnapshot = proposalFixture.proposal(id);
            List<ProposalTimelineEntry> read = new ArrayList<>();
            for (ProposalTimelineEntry proposalTimelineEntry : proposalSnapshot.timeline()) {
                ProposalEvent event = proposalTimelineEntry.event();
                read.add(new ProposalTimelineEntry(
                        proposalTimelineEntry.at(),
                        ProposalEventCodec.decode(event.type(), ProposalEventCodec.encode(event))
                                .orThrow()));
            }
            assertThat(ProposalSnapshot.of(read)).isEqualTo(proposalSnapshot);
            assertThat(proposalSnapshot.timeline())
                    .extracting(ProposalTimelineEntry::event)
                    .isEqualTo(events(proposalFixture, id));
        }
    }

    @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
    void whatIsDueIsOverOnceCarriedOut(@ForAll("tales") Scenario scenario) {
        ProposalFixture proposalFixture = run(scenario, (_, _) -> {});
        for (String id : IDS) {
            assertThat(proposalFixture.expireDue(id)).isEqualTo(new ProposalDeciderResult.Unchanged());
            assertThat(proposalFixture.applyAbsence(id)).isEqualTo(new ProposalDeciderResult.Unchanged());
            assertThat(proposalFixture.proposal(id).dueAt().stream()).allMatch(due -> due.isAfter(proposalFixture.now));
            assertThat(proposalFixture.absenceDueAt(id).stream()).allMatch(due -> due.isAfter(proposalFixture.now));
        }
    }

    @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
    void aClosedProposalRefusesEverythingAndSaysHowItStands(@ForAll("tales") Scenario scenario) {
        ProposalFixture proposalFixture = run(scenario, (_, _) -> {});
        for (String id : IDS) {
            ProposalSnapshot proposalSnapshot = proposalFixture.proposal(id);
            if (proposalSnapshot.isOpen()) {
                continue;
            }
            EnvelopeErrorCode again = proposalSnapshot.state() == ProposalState.FULFILLED
                    ? EnvelopeErrorCode.ALREADY_FULFILLED
                    : EnvelopeErrorCode.PROPOSAL_CLOSED;
            for (String by : PEOPLE) {
                refused(proposalFixture.fulfil(by, id, "alice"), again, proposalSnapshot);
                refused(proposalFixture.reject(by, "policy", id), EnvelopeErrorCode.PROPOSAL_CLOSED, proposalSnapshot);
                refused(proposalFixture.withdraw(by, id), EnvelopeErrorCode.PROPOSAL_CLOSED, proposalSnapshot);
                refused(
                        proposalFixture.remark(by, "status", "{'status':'queued'}", id),
                        EnvelopeErrorCode.PROPOSAL_CLOSED,
                        proposalSnapshot);
            }
            assertThat(proposalFixture.proposal(id)).isEqualTo(proposalSnapshot);
        }
    }

    private static void refused(
            ProposalDeciderResult proposalDeciderResult, EnvelopeErrorCode code, ProposalSnapshot proposalSnapshot) {
        ProposalRefusal proposalRefusal = ProposalFixture.declined(proposalDeciderResult);
        assertThat(proposalRefusal.refusal().code()).isEqualTo(code);
        assertThat(proposalRefusal.state()).contains(proposalSnapshot.state());
    }

    @Property(tries = 60, edgeCases = EdgeCasesMode.NONE)
    void guidanceAlwaysNamesSomebodyOrSaysThatNobodyIsThere(@ForAll("tales") Scenario scenario) {
        run(scenario, (proposalFixture, _) -> {
            for (String id : proposalFixture.proposalSnapshots.keySet()) {
                ProposalSnapshot proposalSnapshot = proposalFixture.proposal(id);
                boolean waiting = proposalSnapshot
                        .dueAt()
                        .filter(proposalFixture.now::isBefore)
                        .isPresent();
                for (String reader : PEOPLE) {
                    LifecycleGuidance guidance =
                            proposalFixture.guide(id, reader).guidance();
                    assertThat(guidance.status()).isNotBlank();
                    assertThat(guidance.nextStep()).isNotBlank();
                    if (waiting) {
                        assertThat(guidance.nextDeadline()).isPresent();
                        assertThat(!guidance.mustAct().isEmpty()
                                        || guidance.status().startsWith("no member of this topic")
                                        || guidance.status().startsWith("no reviewer is left")
                                        || guidance.status().contains("(not connected)"))
                                .as(guidance.status())
                                .isTrue();
                    } else {
                        assertThat(guidance.mustAct()).isEmpty();
                    }
                    assertThat(ProposalView.of(proposalFixture.guide(id, reader))
                                    .toJson())
                            .isNotEmpty();
                }
            }
        });
    }

    @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
    void whatIsToldFollowsFromWhatIsKept(@ForAll("tales") Scenario scenario) {
        run(scenario, (proposalFixture, proposalDeciderResult) -> {
            if (proposalDeciderResult instanceof ProposalDeciderResult.Accepted accepted) {
                assertThat(accepted.uncommittedProposalEvents()).isNotEmpty();
                List<ProposalNotice> replayed = accepted.uncommittedProposalEvents().stream()
                        .flatMap(uncommittedProposalEvent -> ProposalNotice.of(
                                uncommittedProposalEvent.subject(),
                                proposalFixture
                                        .proposal(uncommittedProposalEvent.subject())
                                        .proposer(),
                                uncommittedProposalEvent.event())
                                .stream())
                        .toList();
                assertThat(accepted.notices()).isEqualTo(replayed);
                accepted.routedEnvelope()
                        .ifPresent(routedEnvelope -> assertThat(accepted.uncommittedProposalEvents()
                                        .getFirst()
                                        .event()
                                        .storedEnvelope())
                                .isEqualTo(routedEnvelope.storedEnvelope()));
            }
        });
    }
}
