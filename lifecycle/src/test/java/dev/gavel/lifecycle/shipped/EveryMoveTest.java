package dev.gavel.lifecycle.shipped;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.ExternalFacts;
import dev.gavel.lifecycle.LifecycleCommand;
import dev.gavel.lifecycle.LifecycleEngine;
import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.history.BallotChoice;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.result.LifecycleCommandResult;
import dev.gavel.lifecycle.result.LifecycleRefusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Tests every (state, role, target) of both processes. The expected tables are copied from the document, not from the
 * process files. A move that a row allows is accepted with all its requirements and refused without any one of them;
 * every other move is refused. Each refusal names who may make the move, what is missing with what is accepted, or the
 * possible target states.
 */
class EveryMoveTest {
    private static final MoveTable SEP_1286 = MoveTable.of(
            "proposal, draft, provisional, prototyping, in-review, deferred, accepted, final, dormant, rejected, withdrawn, superseded",
            """
            proposal | draft | maintainer |
            proposal, draft | rejected | core-maintainer | feedback / reason; decision
            draft | provisional | sponsor | goals
            provisional | prototyping | sponsor | prototype
            prototyping | provisional | sponsor | reason
            provisional, prototyping | in-review | sponsor | fact complete (Standards Track, Extensions Track); fact section-abstract (Informational, Process); fact section-motivation (Informational, Process); fact section-specification (Informational, Process); fact section-rationale (Informational, Process); fact section-backward-compatibility (Informational, Process); review / reason
            in-review | accepted | core-maintainer | fact complete (Standards Track, Extensions Track); fact section-abstract (Informational, Process); fact section-motivation (Informational, Process); fact section-specification (Informational, Process); fact section-rationale (Informational, Process); fact section-backward-compatibility (Informational, Process); tally / decision; prototype / no-prototype (Standards Track, Extensions Track)
            in-review | rejected | core-maintainer | lost-tally / decision; rationale / reason
            in-review | deferred | core-maintainer | decision; reason; revisit / trigger
            in-review | provisional | sponsor | changes / reason
            deferred | in-review | sponsor, core-maintainer | reached revisit / trigger-met / reason
            accepted | in-review | sponsor, core-maintainer | changes / reason
            accepted | final | sponsor | fact complete (Standards Track, Extensions Track); fact section-abstract (Informational, Process); fact section-motivation (Informational, Process); fact section-specification (Informational, Process); fact section-rationale (Informational, Process); fact section-backward-compatibility (Informational, Process); reference-implementation; merged; conformance / exemption (Standards Track)
            proposal | dormant | system, core-maintainer | 180 days without a sponsor; author idle
            draft, provisional, prototyping, in-review, deferred, accepted | dormant | sponsor, core-maintainer | reason
            dormant | proposal | author | note / reason
            dormant | draft | maintainer |
            proposal, draft, provisional, prototyping, in-review, deferred, dormant | withdrawn | author | reason
            proposal, draft, provisional, prototyping, in-review, deferred, accepted, final, dormant | superseded | core-maintainer, successor-sponsor | successor; fact named-back
            """);

    private static final MoveTable MCP_2026 =
            MoveTable.of("proposal, draft, in-review, accepted, final, dormant, rejected, withdrawn, superseded", """
            proposal | draft | maintainer |
            proposal, draft | rejected | core-maintainer | feedback / reason; decision
            draft | in-review | sponsor | fact complete (Standards Track, Extensions Track); fact section-abstract (Informational, Process); fact section-motivation (Informational, Process); fact section-specification (Informational, Process); fact section-rationale (Informational, Process); fact section-backward-compatibility (Informational, Process)
            in-review | accepted | core-maintainer | fact complete (Standards Track, Extensions Track); fact section-abstract (Informational, Process); fact section-motivation (Informational, Process); fact section-specification (Informational, Process); fact section-rationale (Informational, Process); fact section-backward-compatibility (Informational, Process); tally / decision; prototype
            in-review | rejected | core-maintainer | lost-tally / decision; rationale / reason
            in-review | draft | sponsor | changes / reason
            accepted | in-review | sponsor, core-maintainer | changes / reason
            accepted | final | sponsor | fact complete (Standards Track, Extensions Track); fact section-abstract (Informational, Process); fact section-motivation (Informational, Process); fact section-specification (Informational, Process); fact section-rationale (Informational, Process); fact section-backward-compatibility (Informational, Process); reference-implementation; merged; conformance / exemption (Standards Track)
            proposal | dormant | system, core-maintainer | 180 days without a sponsor; author idle
            draft, in-review, accepted | dormant | sponsor, core-maintainer | reason
            dormant | proposal | author | note / reason
            dormant | draft | maintainer |
            proposal, draft, in-review, dormant | withdrawn | author | reason
            proposal, draft, in-review, accepted, final, dormant | superseded | core-maintainer, successor-sponsor | successor; fact named-back
            """);

    /** Evidence that counts only after another person has confirmed it; it cannot come with the move. */
    private static final Set<String> CONFIRMED = Set.of("goals", "decision");

    private static final Set<String> RESULTS_OF_VOTES = Set.of("tally", "lost-tally");
    private static final Set<String> LINKS = Set.of("goals", "prototype", "reference-implementation", "conformance");
    private static final Map<String, String> TITLES = Map.of(
            "author", "the author (ada)",
            "sponsor", "the sponsor (sam)",
            "maintainer", "a maintainer",
            "core-maintainer", "a core maintainer",
            "successor-sponsor", "the sponsor of the successor",
            "system", "the process itself");

    @TestFactory
    Stream<DynamicTest> everyMoveOfSep1286() {
        return tests(ShippedProcessFixtures.SEP_1286, SEP_1286);
    }

    @TestFactory
    Stream<DynamicTest> everyMoveOfMcp2026() {
        return tests(ShippedProcessFixtures.MCP_2026, MCP_2026);
    }

    @Test
    void theTablesKnowTheSameStatesAsTheFiles() {
        assertThat(ShippedProcessFixtures.SEP_1286.processDefinition().states().keySet())
                .containsExactlyInAnyOrderElementsOf(SEP_1286.states());
        assertThat(ShippedProcessFixtures.MCP_2026.processDefinition().states().keySet())
                .containsExactlyInAnyOrderElementsOf(MCP_2026.states());
    }

    private static Stream<DynamicTest> tests(LifecycleEngine lifecycleEngine, MoveTable table) {
        return table.states().stream()
                .flatMap(from -> MoveTable.ROLES.stream()
                        .flatMap(role -> table.states().stream()
                                .map(to -> DynamicTest.dynamicTest(
                                        from + " to " + to + " by " + role,
                                        () -> check(lifecycleEngine, table, from, role, to)))));
    }

    private static void check(LifecycleEngine lifecycleEngine, MoveTable table, String from, String role, String to) {
        MoveTable.Row row = table.row(from, to).orElse(null);
        for (String type : MoveTable.TYPES) {
            if (row == null) {
                noSuchMove(attempt(lifecycleEngine, from, to, type, List.of("reason")), table, from, role, to);
            } else if (row.allows(role)) {
                allowed(lifecycleEngine, row, from, type, role);
            } else {
                notAllowed(lifecycleEngine, row, from, type, role);
            }
        }
    }

    private static void noSuchMove(Attempt attempt, MoveTable table, String from, String role, String to) {
        LifecycleRefusal refusal = attempt.refused(role, to);
        if (table.targets(from).isEmpty()) {
            assertThat(refusal.code()).isEqualTo("ended");
            assertThat(refusal.message()).isEqualTo("Cannot move from `" + from + "`: it is an end state.");
            return;
        }
        String beginning = "Cannot move from `" + from + "` to `" + to + "`. Possible moves from `" + from + "`: `";
        assertThat(refusal.code()).isEqualTo("no-such-move");
        assertThat(refusal.message()).startsWith(beginning).endsWith("`.");
        String targets = refusal.message()
                .substring(beginning.length(), refusal.message().length() - 2);
        assertThat(new TreeSet<>(List.of(targets.split("`, `|` or `")))).isEqualTo(table.targets(from));
    }

    private static void notAllowed(
            LifecycleEngine lifecycleEngine, MoveTable.Row row, String from, String type, String role) {
        LifecycleRefusal refusal = attempt(lifecycleEngine, from, row.to(), type, firstOfEach(row.needs(type)))
                .refused(role, row.to());
        assertThat(refusal.code()).isEqualTo("not-allowed");
        assertThat(refusal.message())
                .isEqualTo("Only "
                        + String.join(
                                " or ", row.who().stream().map(TITLES::get).toList())
                        + " can move this proposal to `" + row.to() + "`.");
        assertThat(refusal.whoMay()).hasSameSizeAs(row.who());
    }

    private static void allowed(
            LifecycleEngine lifecycleEngine, MoveTable.Row row, String from, String type, String role) {
        List<MoveTable.Need> needs = row.needs(type);
        assertThat(attempt(lifecycleEngine, from, row.to(), type, firstOfEach(needs))
                        .moved(role, row.to()))
                .isEqualTo(row.to());
        for (MoveTable.Need need : needs) {
            List<MoveTable.Need> others =
                    needs.stream().filter(other -> !other.equals(need)).toList();
            for (String choice : need.choices()) {
                List<String> chosen = new ArrayList<>(firstOfEach(others));
                chosen.add(choice);
                assertThat(attempt(lifecycleEngine, from, row.to(), type, chosen)
                                .moved(role, row.to()))
                        .as("with %s", chosen)
                        .isEqualTo(row.to());
            }
            missing(
                    attempt(lifecycleEngine, from, row.to(), type, firstOfEach(others))
                            .refused(role, row.to()),
                    row.to(),
                    need);
        }
    }

    private static void missing(LifecycleRefusal refusal, String to, MoveTable.Need need) {
        assertThat(refusal.code()).isEqualTo("missing");
        assertThat(refusal.message()).startsWith("Cannot move to `" + to + "`: ");
        assertThat(refusal.unmetRequirements()).hasSize(1);
        List<String> kinds = need.choices().stream()
                .filter(choice -> !choice.contains(" ") && !RESULTS_OF_VOTES.contains(choice))
                .toList();
        assertThat(refusal.unmetRequirements().getFirst().evidenceKinds()).isEqualTo(kinds);
        for (String choice : need.choices()) {
            assertThat(refusal.message())
                    .contains(
                            switch (choice) {
                                case "tally" -> "0 yes, 0 no, 0 abstaining; 0 voted, 2 needed";
                                case "lost-tally" -> "the vote is not lost (0 yes, 0 no, 0 abstaining";
                                case "decision" ->
                                    "decision: text such as '" + to
                                            + ": agreed at the meeting', confirmed by another person: a core maintainer";
                                case "goals" ->
                                    "goals: a link that begins with http:// or https://, confirmed by another person:"
                                            + " a core maintainer";
                                case "reached revisit" -> "2027-12-31";
                                case "180 days without a sponsor" ->
                                    "the role 'sponsor' must be vacant for 180 days (until 2026-07-04)";
                                case "author idle" -> "the author must be inactive for 14 days (until 2027-02-13)";
                                case "revisit" -> "revisit: a date such as 2026-03-31";
                                case String fact when fact.startsWith("fact ") -> ": " + fact + " is not so.";
                                case String link
                                when LINKS.contains(link) -> link + ": a link that begins with http:// or https://";
                                case String words -> words + ": text";
                            });
        }
    }

    private static List<String> firstOfEach(List<MoveTable.Need> needs) {
        return needs.stream().map(need -> need.choices().getFirst()).toList();
    }

    /** A SEP that meets only the named requirements, and the evidence to give with the move. */
    private record Attempt(SepScenario sepScenario, List<Evidence> evidence) {
        String moved(String role, String to) {
            return switch (sepScenario.decide(command(role, to))) {
                case LifecycleCommandResult.Accepted<LifecycleEvent> accepted ->
                    sepScenario
                            .history()
                            .append(accepted.events())
                            .snapshot()
                            .orElseThrow()
                            .state();
                case LifecycleCommandResult.Refused<LifecycleEvent> refused ->
                    refused.refusal().message();
            };
        }

        LifecycleRefusal refused(String role, String to) {
            return sepScenario.expectRefused(command(role, to));
        }

        private LifecycleCommand command(String role, String to) {
            return new LifecycleCommand.MoveTo(actor(role), to, evidence);
        }
    }

    private static Attempt attempt(
            LifecycleEngine lifecycleEngine, String from, String to, String type, List<String> there) {
        ExternalFacts externalFacts = ShippedProcessFixtures.MEMBERS_ONLY;
        for (String fact : ShippedProcessFixtures.ALL_FACTS_HOLD.facts().keySet()) {
            externalFacts = there.contains("fact " + fact)
                    ? externalFacts.withFact(fact)
                    : externalFacts.withUnmetFact(fact, "fact " + fact + " is not so");
        }
        boolean reached = there.contains("reached revisit");
        SepScenario sepScenario = from.equals("deferred")
                ? SepScenario.inState(
                        lifecycleEngine, from, type, new Evidence("revisit", reached ? "2026-02-01" : "2027-12-31"))
                : SepScenario.inState(lifecycleEngine, from, type);
        sepScenario = sepScenario.withFacts(externalFacts);
        for (String result : there.stream().filter(RESULTS_OF_VOTES::contains).toList()) {
            BallotChoice ballotChoice = result.equals("tally") ? BallotChoice.YES : BallotChoice.NO;
            for (Actor voter : List.of(ShippedProcessFixtures.CARL, ShippedProcessFixtures.CLEO)) {
                sepScenario = sepScenario.perform(new LifecycleCommand.Vote(voter, ballotChoice, ""));
            }
        }
        if (there.contains("decision")) {
            sepScenario = sepScenario.decided(to);
        }
        if (there.contains("goals")) {
            sepScenario = sepScenario
                    .attach(ShippedProcessFixtures.SAM, piece("goals"))
                    .confirm(ShippedProcessFixtures.CLEO, "goals");
        }
        if (from.equals("proposal") && !there.contains("author idle")) {
            sepScenario = sepScenario
                    .atInstant(ShippedProcessFixtures.day(390))
                    .perform(new LifecycleCommand.Comment(ShippedProcessFixtures.ADA, "Anybody?"));
        }
        boolean late = there.contains("180 days without a sponsor") || !from.equals("proposal");
        return new Attempt(
                sepScenario.atInstant(ShippedProcessFixtures.day(late ? 400 : 179)),
                there.stream()
                        .filter(name ->
                                !name.contains(" ") && !RESULTS_OF_VOTES.contains(name) && !CONFIRMED.contains(name))
                        .map(EveryMoveTest::piece)
                        .toList());
    }

    private static Evidence piece(String kind) {
        if (kind.equals("revisit")) {
            return new Evidence(kind, "2027-03-31");
        }
        return LINKS.contains(kind)
                ? ShippedProcessFixtures.linkEvidence(kind)
                : ShippedProcessFixtures.textEvidence(kind);
    }

    private static Actor actor(String role) {
        return switch (role) {
            case "author" -> ShippedProcessFixtures.ADA;
            // Without the maintainer role: only what a sponsor may do is tested.
            case "sponsor" -> Actor.of("Sam");
            case "maintainer" -> ShippedProcessFixtures.MO;
            case "core-maintainer" -> ShippedProcessFixtures.CORA;
            case "successor-sponsor" -> Actor.of("sue", "successor-sponsor");
            case "system" -> Actor.system();
            default -> ShippedProcessFixtures.EVE;
        };
    }
}
