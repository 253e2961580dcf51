package dev.gavel.lifecycle.shipped;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.Command;
import dev.gavel.lifecycle.Lifecycle;
import dev.gavel.lifecycle.answer.Decision;
import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.process.EvidenceKind;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who may attach which evidence, for every kind that outlasts a move, in every process that comes with the program. */
class EveryEvidenceTest {
    private static final Set<String> MAKERS = Set.of("author", "sponsor", "maintainer", "core-maintainer");
    private static final Map<String, Set<String>> WHO = Map.ofEntries(
            Map.entry(
                    "discussion",
                    Set.of("author", "sponsor", "maintainer", "core-maintainer", "successor-sponsor", "anyone")),
            Map.entry("minutes", Set.of("sponsor", "maintainer", "core-maintainer")),
            Map.entry("goals", Set.of("sponsor", "maintainer", "core-maintainer")),
            Map.entry("prototype", MAKERS),
            Map.entry("no-prototype", MAKERS),
            Map.entry("ready", Set.of("author")),
            Map.entry("reference-implementation", MAKERS),
            Map.entry("conformance", MAKERS),
            Map.entry("exemption", Set.of("sponsor", "core-maintainer")),
            Map.entry("successor", Set.of("core-maintainer", "successor-sponsor")));

    static List<Lifecycle> both() {
        return List.of(Shipped.SEP_1286, Shipped.MCP_2026);
    }

    @ParameterizedTest
    @MethodSource("both")
    void evidenceThatGatesMovesIsForThoseItConcernsToGive(Lifecycle lifecycle) {
        for (EvidenceKind kind : lifecycle.process().evidence().values()) {
            if (kind.lasts() == EvidenceKind.Lasts.MOVE || kind.form() == EvidenceKind.Form.TALLY) {
                continue;
            }
            assertThat(WHO).containsKey(kind.name());
            Evidence piece =
                    kind.form() == EvidenceKind.Form.LINK ? Shipped.link(kind.name()) : Shipped.words(kind.name());
            for (String role : MoveTable.ROLES) {
                Decision<Event> decision =
                        Tale.in(lifecycle, "draft").decide(new Command.Attach(actor(role), List.of(piece)));
                assertThat(decision instanceof Decision.Accepted<Event>)
                        .as("%s by %s", kind.name(), role)
                        .isEqualTo(WHO.getOrDefault(kind.name(), Set.of()).contains(role));
            }
        }
    }

    private static Actor actor(String role) {
        return switch (role) {
            case "author" -> Shipped.ADA;
            case "sponsor" -> Actor.of("Sam");
            case "maintainer" -> Shipped.MO;
            case "core-maintainer" -> Shipped.CORA;
            case "successor-sponsor" -> Actor.of("sue", "successor-sponsor");
            case "system" -> Actor.system();
            default -> Shipped.EVE;
        };
    }
}
