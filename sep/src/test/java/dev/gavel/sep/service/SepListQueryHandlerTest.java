package dev.gavel.sep.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.json.Json;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests filters and paging of the SEP list. */
class SepListQueryHandlerTest {
    @TempDir
    private Path directory;

    private SepServiceFixture sepServiceFixture;

    @BeforeEach
    void open() {
        sepServiceFixture = new SepServiceFixture(directory);
        sepServiceFixture.submit("alice", "Paging for every list");
        sepServiceFixture.submit("alice", "A registry of servers");
        sepServiceFixture.submit("erin", "Lists of tools");
    }

    @AfterEach
    void close() {
        sepServiceFixture.close();
    }

    private List<Long> found(Object... arguments) {
        return sepServiceFixture.executeSuccessfully("bob", SepOperation.LIST, arguments).at("seps").elements().stream()
                .map(sep -> sep.at("number").asLong(0))
                .toList();
    }

    @Test
    void wordsAreLookedForInTitlesInWhateverCase() {
        assertThat(found("text", "LIST")).containsExactly(3L, 1L);
        assertThat(found("text", "list  paging")).containsExactly(1L);
        assertThat(found("text", "list", "author", "erin")).containsExactly(3L);
        assertThat(found("text", "nothing of this kind")).isEmpty();
    }

    @Test
    void aNumberIsAWordToo() {
        assertThat(found("text", "2")).containsExactly(2L);
        assertThat(found("text", "SEP-2")).containsExactly(2L);
        assertThat(found("text", "#3")).containsExactly(3L);
    }

    @Test
    void howManyStandWhereIsSaidWhereItIsAskedWhateverElseIs() {
        assertThat(sepServiceFixture
                        .executeSuccessfully("bob", SepOperation.LIST)
                        .at("counts")
                        .isPresent())
                .isFalse();
        assertThat(count("proposal", "limit", 1)).isEqualTo(3);

        sepServiceFixture.executeSuccessfully("bob", SepOperation.SPONSOR, "number", 2);

        assertThat(count("proposal", "text", "nothing")).isEqualTo(2);
        assertThat(count("draft")).isEqualTo(1);
        assertThat(count("final")).isZero();
        sepServiceFixture.reopen();
        assertThat(count("proposal")).isEqualTo(2);
    }

    private long count(String state, Object... more) {
        Object[] arguments = new Object[more.length + 2];
        arguments[0] = "counts";
        arguments[1] = true;
        System.arraycopy(more, 0, arguments, 2, more.length);
        Json counts = sepServiceFixture
                .executeSuccessfully("bob", SepOperation.LIST, arguments)
                .at("counts");
        return counts.at(state).asLong(-1);
    }
}
