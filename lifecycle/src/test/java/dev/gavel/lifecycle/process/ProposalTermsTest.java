package dev.gavel.lifecycle.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProposalTermsTest {
    private static final ProposalTerms RFC = new ProposalTerms("RFC", "RFC {number}");

    @ParameterizedTest
    @CsvSource({"SEP,a SEP", "EIP,an EIP", "RFC,an RFC", "GEP,a GEP", "BRC,a BRC", "proposal,a proposal"})
    void aNameGetsTheArticleWithWhichItIsSpoken(String name, String withArticle) {
        assertThat(new ProposalTerms(name, name + "-{number}").withArticle()).isEqualTo(withArticle);
    }

    @Test
    void numbersAndCountsUseTheTermsOfTheProcess() {
        assertThat(RFC.numberLabel(12)).isEqualTo("RFC 12");
        assertThat(RFC.count(1)).isEqualTo("1 RFC");
        assertThat(RFC.count(0)).isEqualTo("0 RFCs");
    }

    @Test
    void aTextNamesTheProposals() {
        assertThat(RFC.text("{A proposal} replaces {a proposal}; other {proposals} keep their {proposal} numbers."))
                .isEqualTo("An RFC replaces an RFC; other RFCs keep their RFC numbers.");
        assertThat(ProposalTerms.DEFAULT.text("Submit {a proposal}")).isEqualTo("Submit a SEP");
    }

    @ParameterizedTest
    @CsvSource({"12", "#12", "RFC-12", "rfc 0012", "RFC #12", "' 12 '"})
    void aNumberIsReadAsPeopleWriteIt(String text) {
        assertThat(RFC.parseNumber(text)).contains(12);
    }

    @ParameterizedTest
    @CsvSource({"SEP-12", "12a", "RFC", "''", "1234567890"})
    void aTextThatIsNoNumberOfTheProcessIsNotRead(String text) {
        assertThat(RFC.parseNumber(text)).isEmpty();
    }
}
