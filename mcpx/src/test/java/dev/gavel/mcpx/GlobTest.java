package dev.gavel.mcpx;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GlobTest {
    @ParameterizedTest
    @CsvSource({
        "a, a, true",
        "a, ab, false",
        "'', '', true",
        "'', a, false",
        "*, '', true",
        "*, anything, true",
        "**, x, true",
        "a*, a, true",
        "a*, ba, false",
        "*a, ba, true",
        "a*a, a, false",
        "a*a, aa, true",
        "a*b*c, aXbYc, true",
        "a*b*c, acb, false",
        "*ab*ab*, xabab, true",
        "*ab*ab*, xab, false",
        "*aab*, aaab, true",
        "a.c, abc, false",
        "[a-z], b, false",
        "A, a, false"
    })
    void starsStandForAnyRun(String pattern, String text, boolean matches) {
        assertThat(Glob.compile(pattern).matches(text)).isEqualTo(matches);
    }

    @Property(tries = 5000)
    void matchingIsWhatTheObviousMatcherSays(
            @ForAll @Chars({'a', 'b', '*'}) @StringLength(max = 9) String pattern,
            @ForAll @Chars({'a', 'b'}) @StringLength(max = 14) String text) {
        assertThat(Glob.compile(pattern).matches(text)).isEqualTo(referenceMatches(pattern, 0, text, 0));
    }

    private static boolean referenceMatches(String pattern, int p, String text, int t) {
        if (p == pattern.length()) {
            return t == text.length();
        }
        if (pattern.charAt(p) == '*') {
            return referenceMatches(pattern, p + 1, text, t)
                    || (t < text.length() && referenceMatches(pattern, p, text, t + 1));
        }
        return t < text.length()
                && pattern.charAt(p) == text.charAt(t)
                && referenceMatches(pattern, p + 1, text, t + 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b",
                "*aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab*",
                "a*aaaaaaaaaaaaaaaaaaaaaaaaaaaaab*c",
                "*ab*ab*ab*ab*ab*ab*ab*"
            })
    void aHostilePatternReadsATextOnceAtMost(String pattern) {
        var text = new CountingCharSequence("a".repeat(100_000));
        assertThat(Glob.compile(pattern).matches(text)).isFalse();
        assertThat(text.reads).isLessThanOrEqualTo(100_000 + pattern.length());
    }

    @Test
    void aHostileTextIsReadOnceAtMostByTheSearchForDotSegments() {
        var text = new CountingCharSequence("%25".repeat(50_000) + "%252525".repeat(10_000));
        assertThat(DotSegmentDetector.containsDotSegment(text)).isFalse();
        assertThat(text.reads).isLessThanOrEqualTo(8 * text.length());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "..",
                "../a",
                "a/..",
                "a/../b",
                "\\..\\a",
                "a\\..",
                "/tmp/%2e%2e/etc",
                "/tmp/.%2E/etc",
                "/tmp%2f..%2Fetc",
                "/tmp%5c..%5Cetc",
                "/tmp/%252e%252e/etc",
                "/tmp/%25252e./etc",
                "file:///data/..?x",
                "file:///data/..#x",
                "a/..;v=1/b",
                "a/.\t./b",
                "a/.\n.\r/b",
                "a/../../b"
            })
    void aDotDotSegmentIsFoundHoweverWritten(String text) {
        assertThat(DotSegmentDetector.containsDotSegment(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", ".", "...", "a..b", "/a/...", "a/..b/c", "a/b../c", "1..2", "%2e", "a/%2e/b", "%", "%2", "a/.",
                "..a", "/.../x"
            })
    void otherDotsAreNoSegment(String text) {
        assertThat(DotSegmentDetector.containsDotSegment(text)).isFalse();
    }

    /** A text that counts its character reads. */
    private static final class CountingCharSequence implements CharSequence {
        private final String text;
        private int reads;

        CountingCharSequence(String text) {
            this.text = text;
        }

        @Override
        public char charAt(int index) {
            reads++;
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
