package dev.gavel.lifecycle.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FilePatternTest {
    @ParameterizedTest
    @CsvSource({
        "*.md, seps/12-x.md, true",
        "*.md, seps/12-x.MD, true",
        "*.md, seps/12-x.rst, false",
        "seps/*.md, /home/a/project/seps/12-x.md, true",
        "seps/*.md, seps/old/12-x.md, false",
        "seps/*.md, my-seps/12-x.md, false",
        "seps/**/*.md, seps/old/older/12-x.md, true",
        "seps/**/*.md, seps/12-x.md, true",
        "seps/**, seps/a/b, true",
        "geps/gep-*/index.md, geps\\gep-12\\index.md, true",
        "pep-????.rst, pep-0012.rst, true",
        "pep-????.rst, pep-12.rst, false",
    })
    void aPatternMatchesTheEndOfAPath(String pattern, String path, boolean expected) {
        assertThat(new FilePattern(pattern).matches(path)).isEqualTo(expected);
    }

    @Test
    void patternsWithManyStarsDoNotTakeExponentialTime() {
        assertThat(FilePattern.matches("a*".repeat(60) + "b", "a".repeat(4_000)))
                .isFalse();
        assertThat(new FilePattern("**/a/".repeat(30) + "b").matches("a/".repeat(2_000) + "c"))
                .isFalse();
    }
}
