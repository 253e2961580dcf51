package dev.gavel.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.bench.chaos.Journal.Visit;
import dev.gavel.bench.chaos.Plan.Act;
import dev.gavel.bench.chaos.Plan.Deed;
import dev.gavel.bench.reliability.Heard;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A run in which little was done is found out: a run of five seconds in which enough was, and then less of something. */
class EffortTest {
    private static final Duration TIME = Duration.ofSeconds(5);
    private static final int PROPOSALS = 40;
    private static final int CHATS = 40;
    private static final Plan PLAN =
            new Plan(1, List.of(new Act(Deed.KILL, 1_000, 0, 500, 0), new Act(Deed.HOP, 2_000, 0, 0, 0)));

    private final Journal w0 = new Journal("w0", false, System.nanoTime());
    private final Journal w1 = new Journal("w1", false, System.nanoTime());
    private final Visit there = w0.visit(0, Visit.FRESH);
    private final Visit here = w1.visit(1, Visit.FRESH);
    private final List<String> ledger = new ArrayList<>();
    private Map<Deed, Integer> done = Map.of(Deed.KILL, 1, Deed.HOP, 1);
    private Map<String, String> refusals = Map.of();

    @BeforeEach
    void bothAreThereAllTheTime() {
        there.up = Long.MIN_VALUE;
        here.up = Long.MIN_VALUE;
    }

    private void propose(int count, List<String> ends) {
        for (int i = 0; i < count; i++) {
            event("p0-" + i, "proposed");
            String end = ends.get(i % ends.size());
            event("p0-" + i, end);
            if (end.equals("fulfilled")) {
                event("p0-" + i, "answered");
            }
        }
    }

    private void event(String proposal, String type) {
        ledger.add("{\"topic\":\"ops\",\"seq\":%d,\"proposal\":\"%s\",\"type\":\"%s\",\"by\":\"x\",\"body\":{}}"
                .formatted(ledger.size() + 1, proposal, type));
    }

    /** One says something so often, and the other hears so much of it. */
    private void chat(int said, int heard) {
        for (int i = 0; i < said; i++) {
            w0.sent(there, "w0-" + i, true);
            if (i < heard) {
                w1.heard(here, new Heard("{\"id\":\"w0-" + i + "\",\"kind\":\"chat.message\"}"));
            }
        }
    }

    private void proposeEnough() {
        propose(PROPOSALS, List.of("fulfilled", "closed_by_rejections", "withdrawn", "expired"));
    }

    private Effort effort() {
        return new Effort(
                PLAN,
                done,
                TIME,
                new Canon(ledger),
                List.of(
                        new Witness(w0, Set.of(), refusals, false, List.of()),
                        new Witness(w1, Set.of(), Map.of(), false, List.of())));
    }

    private List<String> wanting() {
        return effort().violations().stream().map(Violation::what).toList();
    }

    @Test
    void whereEnoughWasDoneThereIsNothingToSayButTheFigures() {
        proposeEnough();
        chat(CHATS, CHATS);
        done = Map.of(Deed.KILL, 1);
        assertThat(wanting()).isEmpty();
        assertThat(effort().figures())
                .startsWith("1 acts done (kill 1, hop 0 of 1), 40 proposals (10 fulfilled, 10 answered, 10 rejected,"
                        + " 10 withdrawn, 10 expired), ")
                .endsWith(
                        "40 plain ones sent, 0 refused, 100 % of the others heard by those who were there (100 % by who heard least)");
    }

    @Test
    void aRunInWhichNobodyDidAnythingBreaksNoPromiseAndIsNoneAllTheSame() {
        done = Map.of();
        assertThat(wanting())
                .containsExactly(
                        "only 0 proposals were made in 5 s",
                        "only 0 plain envelopes were sent in 5 s",
                        "only 0 of 0 proposals were answered",
                        "only 0 of 0 proposals were closed_by_rejections",
                        "only 0 of 0 proposals were expired",
                        "only 0 of 0 proposals were fulfilled",
                        "only 0 of 0 proposals were withdrawn",
                        "no gateway was killed, and 1 times one was to be",
                        "only 0 of 2 acts were done");
    }

    @Test
    void eachEndHasToComeAbout() {
        propose(PROPOSALS, List.of("fulfilled", "closed_by_rejections", "withdrawn"));
        chat(CHATS, CHATS);
        assertThat(wanting()).containsExactly("only 0 of 40 proposals were expired");
    }

    @Test
    void whatIsSaidHasToReachThoseWhoAreThere() {
        proposeEnough();
        chat(CHATS, CHATS / 20);
        assertThat(wanting())
                .containsExactly(
                        "of 40 plain envelopes that were not refused only 2 reached w1, who was there",
                        "of plain envelopes that were not refused only 5 % reached those who were there");
        here.until = Long.MIN_VALUE;
        assertThat(wanting()).isEmpty();
    }

    @Test
    void whatWasRefusedNeedReachNobody() {
        proposeEnough();
        chat(CHATS, CHATS - 1);
        String lost = "w0-" + (CHATS - 1);
        assertThat(effort().figures()).contains("0 refused, 97 % of the others");
        refusals = Map.of(lost, "unavailable");
        assertThat(effort().figures()).contains("1 refused, 100 % of the others");
    }
}
