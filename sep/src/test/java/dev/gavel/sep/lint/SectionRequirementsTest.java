package dev.gavel.sep.lint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.parser.ProcessFileParser;
import dev.gavel.lifecycle.parser.ProcessParseResult;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.sep.document.DocumentFixtures;
import dev.gavel.sep.process.BuiltInProcesses;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests which sections each state requires, derived from the process alone. */
class SectionRequirementsTest {
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

    private static ProcessDefinition club() {
        return switch (ProcessFileParser.parse("club.yaml", CLUB)) {
            case ProcessParseResult.Valid valid -> valid.processDefinition();
            case ProcessParseResult.Invalid invalid -> throw new AssertionError(invalid.problems());
        };
    }

    @Test
    void aSectionIsNeededWhereEveryWayPassesAMoveThatNeedsIt() {
        SectionRequirements sectionRequirements = new SectionRequirements(club(), "Soup");
        assertThat(sectionRequirements.requiredIn("pot")).containsExactly("abstract");
        assertThat(sectionRequirements.requiredIn("oven")).containsExactly("abstract", "motivation");
        assertThat(sectionRequirements.requiredIn("table")).containsExactly("abstract", "motivation");
        assertThat(sectionRequirements.requiredIn("bin"))
                .as("reached from the pot too")
                .containsExactly("abstract");
    }

    @Test
    void someAreNeededOfOneTypeOnly() {
        assertThat(new SectionRequirements(club(), "cake").requiredIn("table"))
                .containsExactly("abstract", "motivation", "allergens");
    }

    @Test
    void itIsKnownWhereOneWillBeNeeded() {
        SectionRequirements sectionRequirements = new SectionRequirements(club(), "Cake");
        assertThat(sectionRequirements.nextStateRequiring("pot", "motivation")).contains("oven");
        assertThat(sectionRequirements.nextStateRequiring("pot", "allergens")).contains("table");
        assertThat(sectionRequirements.nextStateRequiring("bin", "motivation")).isEmpty();
        assertThat(new SectionRequirements(club(), "Soup").nextStateRequiring("pot", "allergens"))
                .isEmpty();
    }

    @Test
    void theProcessesOfMcpNeedEverySectionForADecision() {
        for (String name : List.of("mcp-2026", "sep-1286")) {
            ProcessDefinition processDefinition = BuiltInProcesses.find(name).orElseThrow();
            SectionRequirements sectionRequirements = new SectionRequirements(processDefinition, "Standards Track");
            assertThat(sectionRequirements.requiredIn(
                            processDefinition.startMove().to()))
                    .as(name)
                    .containsExactly("abstract", "motivation");
            assertThat(sectionRequirements.requiredInAnyState())
                    .as(name)
                    .containsExactlyInAnyOrderElementsOf(
                            DocumentFixtures.sectionNames().standardSlugs());
            assertThat(sectionRequirements.requiredIn("final"))
                    .as(name)
                    .containsExactlyElementsOf(DocumentFixtures.sectionNames().standardSlugs());
        }
    }
}
