package dev.gavel.sep.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the forms in which documents write the names of authors. */
class AuthorFormsTest {
    private static String authors(String field) {
        return DocumentFixtures.read("# SEP-42: T\n\n" + field + "\n\n## Abstract\n\nWords.\n")
                .metadata()
                .authors()
                .stream()
                .map(author -> author.name().orElse("") + "@" + author.handle().orElse(""))
                .collect(Collectors.joining(" "));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '§', textBlock = """
            Alice Archer (@alice)                                        | Alice Archer@alice
            @alice                                                       | @alice
            alice                                                        | @alice
            alice-a1                                                     | @alice-a1
            Alice                                                        | Alice@
            Alice Archer                                                 | Alice Archer@
            Alice A.                                                     | Alice A.@
            Alice D. Archer (@alice)                                     | Alice D. Archer@alice
            Alice Archer <alice@example.org>                             | Alice Archer@
            Alice Archer &lt;alice@example.org&gt; (@alice)              | Alice Archer@alice
            Alice Archer (alice@example.org)                             | Alice Archer@
            Alice Archer @alice                                          | Alice Archer@alice
            Alice Archer (@alice) Bob Baker (@bob)                       | Alice Archer@alice Bob Baker@bob
            Alice @alice Bob @bob                                        | Alice@alice Bob@bob
            @alice @bob                                                  | @alice @bob
            Alice Archer <a@example.org> (@alice)                        | Alice Archer@alice
            Alice Archer [a@example.org](mailto:a@example.org) (@alice)  | Alice Archer@alice
            [Alice Archer](https://github.com/alice)                     | Alice Archer@alice
            [@alice](https://github.com/alice)                           | @alice
            Alice Archer (https://github.com/alice)                      | Alice Archer@alice
            Alice Archer (Example Inc)                                   | Alice Archer@
            Alice (@alice), Bob (@bob)                                   | Alice@alice Bob@bob
            Alice (@alice) and Bob (@bob)                                | Alice@alice Bob@bob
            Alice (@alice), Bob (@bob), and Carol (@carol)               | Alice@alice Bob@bob Carol@carol
            Alice (@alice) & Bob (@bob); Carol (@carol)                  | Alice@alice Bob@bob Carol@carol
            @alice, @ALICE, @bob                                         | @alice @bob
            Alice (@alice) — first words; Bob (@bob) — the rest, mostly  | Alice@alice Bob@bob
            Alice (@alice), Bob (@bob); on behalf of the Paging Group    | Alice@alice Bob@bob
            Alice (@alice), Example LLC                                  | Alice@alice
            The Paging Group                                             | The Paging Group@
            alice_b42 (@alice_b42)                                       | @alice_b42
            TBD                                                          | §§
            """)
    void anAuthorIsANameAHandleOrBoth(String written, String expected) {
        String found = authors("- **Author(s)**: " + written);
        assertThat(found.replace("alice_b42@alice_b42", "@alice_b42")).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Author", "Authors", "Author(s)", "author", "AUTHORS"})
    void theLabelHasManyForms(String label) {
        assertThat(authors("- **" + label + "**: @alice")).isEqualTo("@alice");
        assertThat(authors("**" + label + ":** @alice")).isEqualTo("@alice");
        assertThat(authors("| " + label + " | @alice |")).isEqualTo("@alice");
        assertThat(authors("- " + label + ": @alice")).isEqualTo("@alice");
    }

    @Test
    void authorsMayStandOnSeveralLines() {
        assertThat(authors("- **Author(s)**: Alice (@alice),\n  Bob (@bob)\n- **Sponsor**: @carol"))
                .isEqualTo("Alice@alice Bob@bob");
        assertThat(authors("- **Authors**:\n  - Alice (@alice)\n  - Bob (@bob)\n- **Sponsor**: @carol"))
                .isEqualTo("Alice@alice Bob@bob");
        assertThat(authors("**Authors:**\n- Alice (@alice)\n- Bob (@bob)\n\n**Sponsor:** @carol"))
                .isEqualTo("Alice@alice Bob@bob");
        assertThat(authors("**Authors:** Alice (@alice) and\nBob (@bob)\n**Sponsor:** @carol"))
                .isEqualTo("Alice@alice Bob@bob");
    }

    @Test
    void aLineThatIsAnotherFieldIsNoAuthor() {
        assertThat(authors("- **Authors**: @alice,\n- **Sponsor**: @carol")).isEqualTo("@alice");
    }
}
