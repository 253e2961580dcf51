package dev.gavel.sep.lint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.file.ProcessFile;
import dev.gavel.lifecycle.file.Reading;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.sep.document.SectionName;
import dev.gavel.sep.process.Processes;
import org.junit.jupiter.api.Test;

/** Which sections are needed where, by the process alone. */
class DemandsTest {
    private static final String CLUB = """
            process: club
            roles:
              cook: {held: one, proposer: yes}
              chief: {}
            attributes:
              type: {values: [Soup, Cake], otherwise: Soup}
            evidence:
              photo: {is: link}
            facts:
              abstract: it has an Abstract
              motivation: it has a Motivation
              section-allergens: it says what is in it
            start: {to: pot, who: anyone, needs: [{fact: abstract}]}
            states:
              pot: {status: it cooks., act: cook, guidance: {cook: Cook., chief: Wait.}}
              oven: {status: it bakes., act: cook, guidance: {cook: Bake., chief: Wait.}}
              table: {is: settled, status: it is served.}
              bin: {is: end, status: it was bad.}
            moves:
              - {from: pot, to: oven, who: cook, needs: [{fact: motivation}]}
              - {from: pot, to: table, who: cook, needs: [{fact: motivation}, {fact: section-allergens, when: {type: Cake}}]}
              - {from: oven, to: table, who: cook, needs: [{any: [photo, {fact: section-allergens}]}, {fact: section-allergens, when: {type: Cake}}]}
              - {from: [pot, oven], to: bin, who: chief}
            """;

    private static Process club() {
        return switch (ProcessFile.read("club.yaml", CLUB)) {
            case Reading.Sound sound -> sound.process();
            case Reading.Unsound unsound -> throw new AssertionError(unsound.problems());
        };
    }

    @Test
    void aSectionIsNeededWhereEveryWayPassesAMoveThatNeedsIt() {
        Demands demands = new Demands(club(), "Soup");
        assertThat(demands.sections("pot")).containsExactly("abstract");
        assertThat(demands.sections("oven")).containsExactly("abstract", "motivation");
        assertThat(demands.sections("table")).containsExactly("abstract", "motivation");
        assertThat(demands.sections("bin")).as("reached from the pot too").containsExactly("abstract");
    }

    @Test
    void someAreNeededOfOneTypeOnly() {
        assertThat(new Demands(club(), "cake").sections("table"))
                .containsExactly("abstract", "motivation", "allergens");
    }

    @Test
    void itIsKnownWhereOneWillBeNeeded() {
        Demands demands = new Demands(club(), "Cake");
        assertThat(demands.later("pot", "motivation")).contains("oven");
        assertThat(demands.later("pot", "allergens")).contains("table");
        assertThat(demands.later("bin", "motivation")).isEmpty();
        assertThat(new Demands(club(), "Soup").later("pot", "allergens")).isEmpty();
    }

    @Test
    void theProcessesThatComeWithTheProgramNeedEverySectionForADecision() {
        for (String name : Processes.names()) {
            Process process = Processes.builtIn(name).orElseThrow();
            Demands demands = new Demands(process, "Standards Track");
            assertThat(demands.sections(process.start().to())).as(name).containsExactly("abstract", "motivation");
            assertThat(demands.ever()).as(name).containsExactlyInAnyOrderElementsOf(SectionName.format());
            assertThat(demands.sections("final")).as(name).containsExactlyElementsOf(SectionName.format());
        }
    }
}
