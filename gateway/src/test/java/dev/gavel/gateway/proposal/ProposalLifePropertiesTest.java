package dev.gavel.gateway.proposal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.proposal.ProposalEvent.Answered;
import dev.gavel.gateway.proposal.ProposalEvent.ClosedByRejections;
import dev.gavel.gateway.proposal.ProposalEvent.Expired;
import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import dev.gavel.gateway.proposal.ProposalEvent.NotForwarded;
import dev.gavel.gateway.proposal.ProposalEvent.OutcomeUnknown;
import dev.gavel.gateway.proposal.ProposalEvent.Withdrawn;
import dev.gavel.lifecycle.answer.Guidance;
import dev.gavel.mcpx.ErrorCode;
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

/** What holds whatever people send, in whatever order, and whoever comes and goes. */
class ProposalLifePropertiesTest {
    private static final List<String> PEOPLE = List.of("agent", "rival", "alice", "bob", "carol", "dan", "files");
    private static final List<String> IDS = List.of("p", "q");

    /** What somebody does. */
    enum Deed {
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

    /** Somebody does something so many milliseconds later. */
    record Attempt(Deed deed, String by, String about, String to, int after) {}

    /** A topic, two proposals in it, and what is tried. */
    record Tale(boolean all, boolean selfApproval, List<String> to, List<String> absent, List<Attempt> attempts) {}

    @Provide
    Arbitrary<Tale> tales() {
        Arbitrary<String> people = Arbitraries.of(PEOPLE);
        Arbitrary<Attempt> attempt = Combinators.combine(
                        Arbitraries.of(Deed.values()),
                        people,
                        Arbitraries.of(IDS),
                        people,
                        // Mostly short, or every proposal would expire before anything happened to it.
                        Arbitraries.of(0, 0, 0, 1, 1, 500, 500, 1_999, 2_000, 60_000, 299_999, 300_000, 600_000))
                .as(Attempt::new);
        return Combinators.combine(
                        Arbitraries.of(true, false),
                        Arbitraries.of(true, false),
                        people.list().ofMaxSize(3),
                        people.list().ofMaxSize(4),
                        attempt.list().ofMinSize(1).ofMaxSize(30))
                .as(Tale::new);
    }

    /** Tells a tale; after each attempt, all that is due is carried out, as the ledger's timer would. */
    private static Room told(Tale tale, BiConsumer<Room, Ruling> after) {
        Room room = new Room(new ProposalRules(
                Duration.ofMinutes(15),
                Duration.ofHours(1),
                Duration.ofMinutes(10),
                tale.all() ? ProposalRules.Rejection.ALL : ProposalRules.Rejection.VETO,
                tale.selfApproval()));
        room.leave(tale.absent().toArray(String[]::new));
        String[] to = tale.to().stream().distinct().toArray(String[]::new);
        after.accept(room, room.propose("p", Room.WRITE, to));
        after.accept(room, room.propose("q", Room.WRITE_TMP));
        for (Attempt attempt : tale.attempts()) {
            room.pass(Duration.ofMillis(attempt.after()));
            after.accept(room, tried(room, attempt));
            for (String id : IDS) {
                after.accept(room, room.carryOut(id));
                after.accept(room, room.attend(id));
            }
        }
        return room;
    }

    private static Ruling tried(Room room, Attempt attempt) {
        String by = attempt.by();
        String about = attempt.about();
        return switch (attempt.deed()) {
            case FULFIL -> room.fulfil(by, about, attempt.to());
            case FULFIL_OTHERWISE ->
                room.request(by, about, "mcp.request.tools/list", "{'method':'tools/list'}", attempt.to());
            case ANSWER ->
                room.proposal(about).fulfilment() == null
                        ? new Ruling.Unchanged()
                        : room.answer(by, about, "{'result':{}}");
            case REJECT -> room.reject(by, "policy", IDS.toArray(String[]::new));
            case ABSTAIN -> room.reject(by, "busy", about);
            case WITHDRAW -> room.withdraw(by, about, "nowhere");
            case STATUS -> room.remark(by, "status", "{'status':'unable'}", about);
            case COME -> {
                room.come(by);
                yield new Ruling.Unchanged();
            }
            case LEAVE -> {
                room.leave(by);
                yield new Ruling.Unchanged();
            }
        };
    }

    private static List<ProposalEvent> events(Room room, String id) {
        return room.ledger.stream()
                .filter(entry -> entry.subject().equals(id))
                .map(Entry::event)
                .toList();
    }

    private static boolean end(ProposalEvent event) {
        return event instanceof Fulfilled
                || event instanceof ClosedByRejections
                || event instanceof Withdrawn
                || event instanceof Expired;
    }

    @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
    void anEndComesOnceAndAfterItOnlyOutcomes(@ForAll("tales") Tale tale) {
        Room room = told(tale, (_, _) -> {});
        for (String id : IDS) {
            List<ProposalEvent> events = events(room, id);
            int first = 0;
            while (first < events.size() && !end(events.get(first))) {
                first++;
            }
            assertThat(events.stream().filter(ProposalLifePropertiesTest::end)).hasSizeLessThanOrEqualTo(1);
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
    void onlyTheProposerWithdrawsAndNobodyFulfilsTheirOwnUnlessAllowed(@ForAll("tales") Tale tale) {
        Room room = told(tale, (_, _) -> {});
        for (Entry entry : room.ledger) {
            if (entry.event() instanceof Withdrawn) {
                assertThat(entry.actor()).isEqualTo("agent");
            }
            if (entry.event() instanceof Fulfilled && !tale.selfApproval()) {
                assertThat(entry.actor()).isNotEqualTo("agent");
            }
            if (entry.event() instanceof Answered) {
                Fulfilment call =
                        Objects.requireNonNull(room.proposal(entry.subject()).fulfilment());
                assertThat(call.addressees()).contains(entry.actor());
            }
        }
    }

    @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
    void whatIsReadBackFromTheLedgerIsTheStateThatWasDecidedOn(@ForAll("tales") Tale tale) {
        Room room = told(tale, (_, _) -> {});
        for (String id : IDS) {
            Proposal proposal = room.proposal(id);
            List<Step> read = new ArrayList<>();
            for (Step step : proposal.timeline()) {
                ProposalEvent event = step.event();
                read.add(new Step(
                        step.at(),
                        ProposalEvents.read(event.type(), ProposalEvents.body(event))
                                .orThrow()));
            }
            assertThat(Proposal.of(read)).isEqualTo(proposal);
            assertThat(proposal.timeline()).extracting(Step::event).isEqualTo(events(room, id));
        }
    }

    @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
    void whatIsDueIsOverOnceCarriedOut(@ForAll("tales") Tale tale) {
        Room room = told(tale, (_, _) -> {});
        for (String id : IDS) {
            assertThat(room.carryOut(id)).isEqualTo(new Ruling.Unchanged());
            assertThat(room.attend(id)).isEqualTo(new Ruling.Unchanged());
            assertThat(room.proposal(id).dueAt().stream()).allMatch(due -> due.isAfter(room.now));
            assertThat(room.attendAt(id).stream()).allMatch(due -> due.isAfter(room.now));
        }
    }

    @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
    void aClosedProposalRefusesEverythingAndSaysHowItStands(@ForAll("tales") Tale tale) {
        Room room = told(tale, (_, _) -> {});
        for (String id : IDS) {
            Proposal proposal = room.proposal(id);
            if (proposal.open()) {
                continue;
            }
            ErrorCode again = proposal.state() == ProposalState.FULFILLED
                    ? ErrorCode.ALREADY_FULFILLED
                    : ErrorCode.PROPOSAL_CLOSED;
            for (String by : PEOPLE) {
                refused(room.fulfil(by, id, "alice"), again, proposal);
                refused(room.reject(by, "policy", id), ErrorCode.PROPOSAL_CLOSED, proposal);
                refused(room.withdraw(by, id), ErrorCode.PROPOSAL_CLOSED, proposal);
                refused(room.remark(by, "status", "{'status':'queued'}", id), ErrorCode.PROPOSAL_CLOSED, proposal);
            }
            assertThat(room.proposal(id)).isEqualTo(proposal);
        }
    }

    private static void refused(Ruling ruling, ErrorCode code, Proposal proposal) {
        Fault fault = Room.declined(ruling);
        assertThat(fault.refusal().code()).isEqualTo(code);
        assertThat(fault.state()).contains(proposal.state());
    }

    @Property(tries = 60, edgeCases = EdgeCasesMode.NONE)
    void guidanceAlwaysNamesSomebodyOrSaysThatNobodyIsThere(@ForAll("tales") Tale tale) {
        told(tale, (room, _) -> {
            for (String id : room.proposals.keySet()) {
                Proposal proposal = room.proposal(id);
                boolean waiting = proposal.dueAt().filter(room.now::isBefore).isPresent();
                for (String reader : PEOPLE) {
                    Guidance guidance = room.guide(id, reader).guidance();
                    assertThat(guidance.status()).isNotBlank();
                    assertThat(guidance.nextStep()).isNotBlank();
                    if (waiting) {
                        assertThat(guidance.expected()).isPresent();
                        assertThat(!guidance.mustAct().isEmpty()
                                        || guidance.status().contains("nobody")
                                        || guidance.status().contains("not here now"))
                                .as(guidance.status())
                                .isTrue();
                    } else {
                        assertThat(guidance.mustAct()).isEmpty();
                    }
                    assertThat(ProposalView.of(room.guide(id, reader)).toJson()).isNotEmpty();
                }
            }
        });
    }

    @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
    void whatIsToldFollowsFromWhatIsKept(@ForAll("tales") Tale tale) {
        told(tale, (room, ruling) -> {
            if (ruling instanceof Ruling.Taken taken) {
                assertThat(taken.entries()).isNotEmpty();
                List<Told> replayed = taken.entries().stream()
                        .flatMap(entry ->
                                Told.of(
                                        entry.subject(),
                                        room.proposal(entry.subject()).proposer(),
                                        entry.event())
                                        .stream())
                        .toList();
                assertThat(taken.notices()).isEqualTo(replayed);
                taken.route()
                        .ifPresent(route -> assertThat(
                                        taken.entries().getFirst().event().sent())
                                .isEqualTo(route.sent()));
            }
        });
    }
}
