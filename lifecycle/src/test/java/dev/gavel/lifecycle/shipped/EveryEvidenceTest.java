package dev.gavel.lifecycle.shipped;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.LifecycleCommand;
import dev.gavel.lifecycle.LifecycleEngine;
import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.process.EvidenceDefinition;
import dev.gavel.lifecycle.result.LifecycleCommandResult;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests which roles may attach which evidence, for every kind that stays valid after a move, in every shipped process.
 */
class EveryEvidenceTest {
    private static final Set<String> MAKERS = Set.of("author", "sponsor", "maintainer", "core-maintainer");
    private static final Map<String, Set<String>> WHO = Map.ofEntries(
            Map.entry(
                    "discussion",
                    Set.of("author", "sponsor", "maintainer", "core-maintainer", "successor-sponsor", "anyone")),
            Map.entry("working-group", Set.of("author", "sponsor")),
            Map.entry("ai-disclosure", Set.of("author")),
            Map.entry("minutes", Set.of("sponsor", "maintainer", "core-maintainer")),
            Map.entry("goals", Set.of("sponsor", "maintainer", "core-maintainer")),
            Map.entry("prototype", MAKERS),
            Map.entry("no-prototype", MAKERS),
            Map.entry("ready", Set.of("author")),
            Map.entry("reference-implementation", MAKERS),
            Map.entry("conformance", MAKERS),
            Map.entry("merged", Set.of("sponsor", "maintainer", "core-maintainer")),
            Map.entry("decision", Set.of("core-maintainer")),
            Map.entry("exemption", Set.of("sponsor", "core-maintainer")),
            Map.entry("successor", Set.of("core-maintainer", "successor-sponsor")));

    static List<LifecycleEngine> both() {
        return List.of(ShippedProcessFixtures.SEP_1286, ShippedProcessFixtures.MCP_2026);
    }

    @ParameterizedTest
    @MethodSource("both")
    void evidenceThatGatesMovesIsForThoseItConcernsToGive(LifecycleEngine lifecycleEngine) {
        for (EvidenceDefinition kind :
                lifecycleEngine.processDefinition().evidence().values()) {
            if (kind.validity() == EvidenceDefinition.Validity.MOVE
                    || kind.format().isResultOfVote()) {
                continue;
            }
            assertThat(WHO).containsKey(kind.name());
            Evidence piece = switch (kind.format()) {
                case LINK -> ShippedProcessFixtures.linkEvidence(kind.name());
                case DECISION -> ShippedProcessFixtures.decision("rejected");
                case TEXT, DATE, TALLY, LOST_TALLY -> ShippedProcessFixtures.textEvidence(kind.name());
            };
            for (String role : MoveTable.ROLES) {
                LifecycleCommandResult<LifecycleEvent> lifecycleCommandResult = SepScenario.inState(
                                lifecycleEngine, "draft")
                        .decide(new LifecycleCommand.Attach(actor(role), List.of(piece)));
                assertThat(lifecycleCommandResult instanceof LifecycleCommandResult.Accepted<LifecycleEvent>)
                        .as("%s by %s", kind.name(), role)
                        .isEqualTo(WHO.getOrDefault(kind.name(), Set.of()).contains(role));
            }
        }
    }

    private static Actor actor(String role) {
        return switch (role) {
            case "author" -> ShippedProcessFixtures.ADA;
            case "sponsor" -> Actor.of("Sam");
            case "maintainer" -> ShippedProcessFixtures.MO;
            case "core-maintainer" -> ShippedProcessFixtures.CORA;
            case "successor-sponsor" -> Actor.of("sue", "successor-sponsor");
            case "system" -> Actor.system();
            default -> ShippedProcessFixtures.EVE;
        };
    }
}
