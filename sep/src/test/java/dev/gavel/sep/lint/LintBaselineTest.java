package dev.gavel.sep.lint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LintBaselineTest {
    private static LintFinding finding(String file, int line, String message) {
        return new LintFinding(file, line, 1, LintSeverity.WARNING, LintCode.CREATED_FORM, message, "help");
    }

    @Test
    void knownFindingsAreNotReportedAgainWhereverTheyAre() {
        LintBaseline baseline =
                LintBaseline.of(List.of(finding("seps/1-a.md", 3, "a"), finding("seps/1-a.md", 4, "b")));
        LintFinding other = finding("seps/2-b.md", 3, "a");
        LintFinding again = finding("seps/1-a.md", 9, "a");
        assertThat(baseline.newFindings(List.of(finding("./seps/1-a.md", 8, "a"), again, other)))
                .containsExactly(again, other);
    }

    @Test
    void theFileKeepsEveryFinding() {
        LintBaseline baseline = LintBaseline.of(
                List.of(finding("b.md", 3, "two\nlines"), finding("a.md", 4, "b"), finding("a.md", 5, "b")));
        assertThat(baseline.text().lines().skip(1))
                .containsExactly("a.md: created-form: b", "a.md: created-form: b", "b.md: created-form: two lines");
        assertThat(LintBaseline.parse(baseline.text()).text()).isEqualTo(baseline.text());
        assertThat(LintBaseline.parse("").newFindings(List.of(finding("a.md", 1, "b"))))
                .hasSize(1);
    }
}
