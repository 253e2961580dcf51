package dev.gavel.mcpx.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestNameFinderTest {
    @Test
    void suggestsTheNameWithSwappedLetters() {
        assertThat(NearestNameFinder.suggest("contnet", List.of("path", "content")))
                .contains("content");
    }

    @Test
    void suggestsNothingThatIsFarAway() {
        assertThat(NearestNameFinder.suggest("verbose", List.of("path", "content")))
                .isEmpty();
    }

    @Test
    void sortsTheNearestNameFirst() {
        assertThat(NearestNameFinder.sort("wirte_file", List.of("read_file", "write_file", "list")))
                .containsExactly("write_file", "read_file", "list");
    }

    @Test
    void aNameThatContainsTheOtherComesBeforeAShorterDistance() {
        assertThat(NearestNameFinder.sort("search", List.of("sea", "arch", "files__search", "seared")))
                .startsWith("arch", "files__search", "sea");
    }

    @Test
    void veryLongNamesAreComparedByTheirBeginning() {
        assertThat(NearestNameFinder.suggest("a".repeat(100_000), List.of("b", "a".repeat(90_000))))
                .contains("a".repeat(90_000));
    }
}
