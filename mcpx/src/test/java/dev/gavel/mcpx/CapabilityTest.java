package dev.gavel.mcpx;

import static dev.gavel.mcpx.EnvelopeFixtures.bytes;
import static dev.gavel.mcpx.EnvelopeFixtures.call;
import static dev.gavel.mcpx.EnvelopeFixtures.capabilities;
import static dev.gavel.mcpx.EnvelopeFixtures.envelope;
import static dev.gavel.mcpx.EnvelopeFixtures.readAccepted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests kind patterns; {@link RawPayloadPatternTest} tests payload patterns. */
class CapabilityTest {
    private static final RawPayload NOTHING = RawPayload.of(bytes("{}"));

    private static boolean admits(String pattern, String kind) {
        return Capability.compile(pattern).orThrow().admits(Kind.of(kind), NOTHING);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            *                                     | chat.message                            | true
            *                                     | mcp.request.tools/call:x                | true
            *                                     | x.y                                     | true
            mcp.*                                 | mcp.request.tools/call:x                | true
            mcp.*                                 | mcp.response.tools/call                 | true
            mcp.*                                 | mcpx.withdraw.proposal                  | false
            mcp.*                                 | chat.message                            | false
            mc*                                   | mcpx.withdraw.proposal                  | true
            mcp.re*                               | mcp.request.tools/call:x                | true
            mcp.re*                               | mcp.proposal.tools/call                 | false
            mcp.request.*                         | mcp.request.tools/call                  | true
            mcp.request.*                         | mcp.request.tools/call:x                | true
            mcp.request.*                         | mcp.response.tools/call                 | false
            mcp.request.*                         | mcp.requests.tools/call                 | false
            mcp.request.tools/*                   | mcp.request.tools/call                  | true
            mcp.request.tools/*                   | mcp.request.tools/call:anything         | true
            mcp.request.tools/*                   | mcp.request.resources/read              | false
            mcp.request.*/list                    | mcp.request.tools/list                  | true
            mcp.request.*/list                    | mcp.request.resources/templates/list    | true
            mcp.request.*/list                    | mcp.request.tools/call:x/list           | false
            mcp.request.*/list                    | mcp.request.tools/list:x                | true
            mcp.request.tools/call                | mcp.request.tools/call                  | true
            mcp.request.tools/call                | mcp.request.tools/call:x                | true
            mcp.request.tools/call                | mcp.request.tools/calls                 | false
            mcp.request.tools/call:read_*         | mcp.request.tools/call:read_file        | true
            mcp.request.tools/call:read_*         | mcp.request.tools/call:read_            | true
            mcp.request.tools/call:read_*         | mcp.request.tools/call:write_file       | false
            mcp.request.tools/call:read_*         | mcp.request.tools/call                  | false
            mcp.request.tools/call:*              | mcp.request.tools/call                  | false
            mcp.request.tools/call:*_file         | mcp.request.tools/call:read_file        | true
            mcp.request.tools/call:*_file         | mcp.request.tools/call:read_files       | false
            mcp.request.tools/call:read_file      | mcp.request.tools/call:read_file        | true
            mcp.request.tools/call:read_file      | mcp.request.tools/call:READ_FILE        | false
            mcp.request.tools/ca*:read            | mcp.request.tools/call:read             | true
            mcp.request.tools/ca*:read            | mcp.request.tools/call:reads            | false
            mcp.*.tools/call                      | mcp.proposal.tools/call:x               | true
            mcp.*.tools/call                      | mcp.request.x.tools/call                | false
            *.request.tools/list                  | mcp.request.tools/list                  | true
            mcpx.withdraw.proposal                | mcpx.withdraw.proposal                  | true
            mcpx.withdraw.proposal                | mcpx.reject.proposal                    | false
            mcpx.*.proposal                       | mcpx.status.proposal                    | true
            chat.message                          | chat.message                            | true
            chat.message                          | chat.message.text                       | false
            chat.*                                | chat.message.text                       | true
            chat.message.*                        | chat.message                            | false
            chat*                                 | chat.message                            | true
            """)
    void partsMatchSeparatelyAndATrailingStarMatchesAllThatFollows(String pattern, String kind, boolean admitted) {
        assertThat(admits(pattern, kind)).isEqualTo(admitted);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"*", "system.*", "system.error", "system*", "sys*", "*.error", "*.*", "system/*", "presence"})
    void noCapabilityAdmitsSystemEnvelopes(String pattern) {
        Capability capability = Capability.compile(pattern).orThrow();
        for (String kind : List.of("system.error", "system.presence", "system.proposal.expired", "system/welcome")) {
            assertThat(capability.admits(Kind.of(kind), NOTHING)).isFalse();
            assertThat(capability.admitsKind(Kind.of(kind))).isFalse();
            assertThat(CapabilitySet.of(List.of(capability)).admits(readAccepted(envelope(kind, "{}", ""))))
                    .isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            mcp.*                        | mcp/*
            mcp.request.*                | mcp/request:*
            mcp.request.tools/*          | mcp/request:tools/*
            mcp.request.*/list           | mcp/request:*/list
            mcp.request.resources/read   | mcp/request:resources/read
            mcp.request.tools/call:write_* | mcp/request:tools/call:write_*
            mcp.response.*               | mcp/response:*
            mcp.proposal.*               | mcp/proposal:*
            mcp.re*                      | mcp/re*
            mcp.*.tools/call             | mcp/*:tools/call
            mcpx.withdraw.proposal       | mcpx/withdraw:proposal
            mcpx.withdraw.*              | mcpx/withdraw:*
            chat.message                 | chat
            system.*                     | system/*
            """)
    void patternsBeforeAdr008MeanTheSame(String current, String old) {
        Capability compiled = Capability.compile(old).orThrow();
        assertThat(compiled).isEqualTo(Capability.compile(current).orThrow());
        assertThat(compiled.kind(EnvelopeSyntax.CURRENT)).isEqualTo(current);
        assertThat(compiled.kind(EnvelopeSyntax.LEGACY)).isEqualTo(old);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"*", "mcpx.reject.proposal", "mcpx.*", "chat.*", "x.y.*", "mcp*", "mcp.other.x", "system.resync"
            })
    void patternsThatNeverHadAnOldFormKeepTheirs(String pattern) {
        assertThat(Capability.compile(pattern).orThrow().kind(EnvelopeSyntax.LEGACY))
                .isEqualTo(pattern);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ``                     | has no OPERATION
            mcp                    | has no OPERATION
            a b*                   | has no OPERATION
            mcp.                   | needs an OPERATION
            .request               | needs a PROTOCOL
            mcp.request.           | needs a METHOD
            mcp.request.a b        | needs a METHOD
            mcp.request.x:         | needs a CONTEXT
            mcp.request:x          | needs an OPERATION
            mcp/foo:x              | mcp/request:METHOD
            foo/*                  | mcp/request:METHOD
            """)
    void aPatternThatIsNoneSaysWhy(String pattern, String problem) {
        assertThat(Capability.compile(pattern))
                .isInstanceOfSatisfying(
                        ValueParseResult.Invalid.class,
                        invalid -> assertThat(invalid.problem())
                                .startsWith("capability '" + pattern)
                                .contains(problem));
    }

    @Test
    void lengthAndNumberOfPatternsAreBounded() {
        assertThat(Capability.compile("x.y." + "z".repeat(Capability.MAX_LENGTH)))
                .isInstanceOf(ValueParseResult.Invalid.class);
        var tooMany = Collections.nCopies(CapabilitySet.MAX_SIZE + 1, "chat.message");
        assertThat(CapabilitySet.compile(tooMany)).isInstanceOf(ValueParseResult.Invalid.class);
        assertThatThrownBy(() -> CapabilitySet.of(Collections.nCopies(
                        CapabilitySet.MAX_SIZE + 1, Capability.compile("*").orThrow())))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(CapabilitySet.compile(List.of("chat.message", "nonsense")))
                .isInstanceOf(ValueParseResult.Invalid.class);
    }

    @Test
    void nothingIsAllowedUnlessSomeCapabilityAdmitsIt() {
        Envelope chat = readAccepted(envelope("chat.message", "{'text':''}", ""));
        assertThat(CapabilitySet.NONE.admits(chat)).isFalse();
        assertThat(capabilities("['mcp.*','mcpx.*']").admits(chat)).isFalse();
        assertThat(capabilities("['mcp.*','chat.*']").admits(chat)).isTrue();
    }

    @Test
    void aKindWithoutContextIsCheckedAsIfItCarriedThePayloads() {
        CapabilitySet readers = capabilities("['mcp.request.tools/call:read_*']");
        assertThat(readers.admits(call("mcp.request.tools/call", "tools/call", "{'name':'read_file'}")))
                .isTrue();
        assertThat(readers.admits(call("mcp.request.tools/call", "tools/call", "{'name':'write_file'}")))
                .isFalse();
        assertThat(readers.admits(call("mcp.request.tools/call", "tools/call", "{}")))
                .isFalse();
        CapabilitySet uris = capabilities("['mcp.request.resources/*:file:///data/*']");
        assertThat(uris.admits(call("mcp.request.resources/read", "resources/read", "{'uri':'file:///data/a'}")))
                .isTrue();
        assertThat(uris.admits(call("mcp.request.resources/read", "resources/read", "{'uri':'file:///etc/a'}")))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"file:///data/../etc", "file:///data/%2e%2e/etc", "file:///data/x/..", "file:///data/..\\\\etc"})
    void aContextWithADotDotSegmentMatchesNoWildcardOfItsOwn(String uri) {
        Envelope envelope = call("mcp.request.resources/read", "resources/read", "{'uri':'" + uri + "'}");
        assertThat(capabilities("['mcp.request.resources/read:file:///data/*']").admits(envelope))
                .isFalse();
        assertThat(capabilities("['mcp.request.resources/*:*']").admits(envelope))
                .isFalse();
        // Patterns without a CONTEXT admit every context, also this one.
        for (String pattern :
                List.of("*", "mcp.*", "mcp.request.*", "mcp.request.resources/*", "mcp.request.resources/read")) {
            assertThat(capabilities("['" + pattern + "']").admits(envelope)).isTrue();
        }
        assertThat(capabilities("['mcp.request.resources/read:" + uri + "']").admits(envelope))
                .isTrue();
    }

    @Test
    void aNameOrUriWithAControlCharacterMatchesNoPattern() {
        for (String character : List.of("\\u0000", "\\u0001", "\\t", "\\n", "\\u001b", "\\u007f", "\\u0085")) {
            Envelope uri =
                    call("mcp.request.resources/read", "resources/read", "{'uri':'file:///data/a" + character + "b'}");
            Envelope tool = call("mcp.request.tools/call", "tools/call", "{'name':'read_file" + character + "'}");
            for (String pattern : List.of(
                    "*",
                    "mcp.request.*",
                    "mcp.request.resources/read",
                    "mcp.request.resources/read:file:///data/*",
                    "mcp.request.tools/call",
                    "mcp.request.tools/call:read_*")) {
                CapabilitySet set = capabilities("['" + pattern + "']");
                assertThat(set.admits(uri)).as(pattern + character).isFalse();
                assertThat(set.admits(tool)).as(pattern + character).isFalse();
            }
        }
        for (String encoded : List.of("%00", "%2500", "%252500")) {
            assertThat(capabilities("['mcp.request.resources/read:file:///data/*']")
                            .admits(call(
                                    "mcp.request.resources/read",
                                    "resources/read",
                                    "{'uri':'file:///data/a" + encoded + "b'}")))
                    .as(encoded)
                    .isFalse();
        }
    }

    @Test
    void aValueWithAControlCharacterMatchesNoTextOfAPayloadPattern() {
        for (String text : List.of("/tmp/*", "!/etc/*", "!/etc/passwd", "*", "/tmp/a\\u0000b")) {
            CapabilitySet set = capabilities("[{'kind':'mcp.request.tools/call','payload':{'params':{'arguments':"
                    + "{'path':'" + text + "'}}}}]");
            for (String value : List.of("/tmp/a\\u0000b", "/tmp/a\\u001bb", "/tmp/a%00b", "/etc/passwd\\u0000")) {
                assertThat(set.admits(call(
                                "mcp.request.tools/call",
                                "tools/call",
                                "{'name':'x','arguments':{'path':'" + value + "'}}")))
                        .as(text + " " + value)
                        .isFalse();
            }
        }
        assertThat(capabilities("[{'kind':'mcp.request.tools/call','payload':{'params':{'arguments':{'text':'*'}}}}]")
                        .admits(call(
                                "mcp.request.tools/call",
                                "tools/call",
                                "{'name':'x','arguments':{'text':'a\\n\\tb\\r'}}")))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            mcp.request.tools/call               | mcp.request.tools/call:write_file   | true
            mcp.request.tools/call:write_*       | mcp.request.tools/call:write_file   | true
            mcp.request.tools/call:read_*        | mcp.request.tools/call:write_file   | false
            mcp.request.tools/call:read_*        | mcp.request.tools/call              | true
            mcp.request.tools/list               | mcp.request.tools/call              | false
            mcp.proposal.*                       | mcp.request.tools/call              | false
            """)
    void canAsksForTheKindAlone(String pattern, String kind, boolean able) {
        assertThat(Capability.compile(pattern).orThrow().admitsKind(Kind.of(kind)))
                .isEqualTo(able);
        assertThat(CapabilitySet.compile(List.of("x.y", pattern)).orThrow().admitsKind(Kind.of(kind)))
                .isEqualTo(able);
    }

    @Test
    void canLeavesPayloadPatternsAside() {
        assertThat(capabilities("[{'kind':'mcp.request.tools/call','payload':{'params':{'name':'a'}}}]")
                        .admitsKind(Kind.of("mcp.request.tools/call:b")))
                .isTrue();
    }

    @Test
    void whatMayBeSentWithAnyPayloadIsAdmittedByAPatternWithoutOne() {
        Kind call = Kind.of("mcp.request.tools/call:b");
        String some = "{'kind':'mcp.request.tools/call','payload':{'params':{'name':'b'}}}";
        assertThat(capabilities("[" + some + "]").admitsAnyPayload(call)).isFalse();
        assertThat(capabilities("[" + some + ",'mcp.request.tools/call:b']").admitsAnyPayload(call))
                .isTrue();
        assertThat(capabilities("['mcp.request.tools/call:a']").admitsAnyPayload(call))
                .isFalse();
    }

    @Test
    void whoMayMakeAProposedCallIsAskedWithTheKindOfTheCallAndThePayloadAsProposed() {
        Envelope proposal = call("mcp.proposal.tools/call", "tools/call", "{'name':'rm'}");
        Kind request = proposal.kindWithContext().withOperation("request");
        assertThat(capabilities("['mcp.request.tools/call:rm']").admits(request, proposal.payload()))
                .isTrue();
        assertThat(capabilities("['mcp.proposal.*']").admits(request, proposal.payload()))
                .isFalse();
    }

    /** A reference implementation of the specification's rules for patterns, simple rather than fast. */
    private static boolean matchesBySpecification(List<String> parts, boolean open, Kind kind) {
        if (kind.protocol().equals("system")) {
            return false;
        }
        var actual = new ArrayList<@Nullable String>(
                Arrays.asList(kind.protocol(), kind.operation(), kind.method(), kind.context()));
        for (int i = 0; i < parts.size(); i++) {
            String part = actual.get(i);
            if (part == null || !part.matches(parts.get(i).replace("/", "\\/").replace("*", ".*"))) {
                return false;
            }
        }
        return parts.size() >= 3 || open || actual.get(parts.size()) == null;
    }

    @Property(tries = 3000)
    void compiledPatternsSayWhatTheSpecificationSays(@ForAll("parts") List<String> parts, @ForAll("kinds") Kind kind) {
        String pattern = String.join(".", parts.subList(0, Math.min(3, parts.size())))
                + (parts.size() == 4 ? ":" + parts.get(3) : "");
        boolean open = pattern.endsWith("*");
        if (parts.size() == 1 && !open) {
            return;
        }
        assertThat(Capability.compile(pattern).orThrow().admits(kind, NOTHING))
                .as("%s on %s", pattern, kind)
                .isEqualTo(matchesBySpecification(parts, open, kind));
    }

    @Property
    void everyPatternComesBackFromEitherSpelling(
            @ForAll("parts") List<String> parts, @ForAll EnvelopeSyntax syntaxVersion) {
        String pattern = String.join(".", parts.subList(0, Math.min(3, parts.size())))
                + (parts.size() == 4 ? ":" + parts.get(3) : "");
        if (Capability.compile(pattern) instanceof ValueParseResult.Valid<Capability>(Capability compiled)) {
            assertThat(Capability.compile(compiled.kind(syntaxVersion)).orThrow())
                    .isEqualTo(compiled);
        }
    }

    @Provide
    Arbitrary<List<String>> parts() {
        Arbitrary<String> part = Arbitraries.of(
                "*",
                "mcp",
                "mcp*",
                "request",
                "re*",
                "*st",
                "system",
                "s*",
                "tools/call",
                "tools/*",
                "*/call",
                "a*b*",
                "chat",
                "message");
        return Combinators.combine(
                        Arbitraries.of("*", "mcp", "m*", "system", "chat", "*p"),
                        Arbitraries.of("*", "request", "re*", "message", "*s*"),
                        part,
                        part)
                .as(List::of)
                .flatMap(all -> Arbitraries.integers().between(1, 4).map(size -> all.subList(0, size)));
    }

    @Provide
    Arbitrary<Kind> kinds() {
        return Combinators.combine(
                        Arbitraries.of("mcp", "mcpx", "system", "chat"),
                        Arbitraries.of("request", "response", "message"),
                        Arbitraries.of("tools/call", "tools/list", "mcp", "ab").injectNull(0.2),
                        Arbitraries.of("tools/call", "ab", "acb", "message").injectNull(0.3))
                .as((p, o, m, c) -> new Kind(p, o, m, m == null ? null : c));
    }
}
