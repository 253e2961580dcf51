package dev.gavel.mcpx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

class KindTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            mcp.request.tools/call:read_file     | mcp    | request  | tools/call        | read_file
            mcp.request.tools/call               | mcp    | request  | tools/call        |
            mcp.request.resources/read:file:///a | mcp    | request  | resources/read    | file:///a
            mcp.request.notifications/progress   | mcp    | request  | notifications/progress |
            mcpx.withdraw.proposal               | mcpx   | withdraw | proposal          |
            chat.message                         | chat   | message  |                   |
            system.proposal.expired              | system | proposal | expired           |
            x.y.a.b.c:d.e:f                      | x      | y        | a.b.c             | d.e:f
            x.y.z:with space                     | x      | y        | z                 | with space
            X_1.y-2                              | X_1    | y-2      |                   |
            """)
    void theFirstTwoDotsDivideAndTheFirstColonAfterMethodBeginsTheContext(
            String text, String protocol, String operation, @Nullable String method, @Nullable String context) {
        assertThat(Kind.of(text)).isEqualTo(new Kind(protocol, operation, method, context));
        assertThat(Kind.of(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "mcp",
                ".",
                "mcp.",
                ".request",
                "mcp..tools/call",
                "mcp.request.",
                "mcp.request.:x",
                "mcp.request.tools/call:",
                "mcp.request:x",
                "chat:hello",
                "chat.message:hello",
                "mcp.re quest.x",
                "mcp.request.tools call",
                "mcp.request.tools\u0000call",
                "mcp.request.x:a\nb",
                "mcp.request.x:\u0085",
                "*",
                "mcp.*",
                "mcp.req*",
                "*.request.x",
                "mcp/",
                "mcp/foo:bar",
                "mcp/request:",
                "mcp/request:tools/call:",
                "/request:x",
                "foo/bar:baz",
                "chat/message",
                "proposal/withdraw",
                "mcpx/reject:proposal",
                "é.y",
                "tools/call",
            })
    void whatDoesNotFollowTheGrammarIsInvalid(String text) {
        assertThat(Kind.parse(text)).isInstanceOf(ValueParseResult.Invalid.class);
    }

    @Test
    void whatIsWrongIsSaidBrieflyEvenOfAHugeKind() {
        String problem = switch (Kind.parse("x".repeat(1_000_000))) {
            case ValueParseResult.Invalid<Kind>(String said) -> said;
            case ValueParseResult.Valid<Kind> _ -> "";
        };
        assertThat(problem).hasSizeLessThan(300).contains("PROTOCOL.OPERATION");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            mcp.request.tools/call                  | mcp/request:tools/call
            mcp.request.tools/call:read_file        | mcp/request:tools/call:read_file
            mcp.request.resources/read:file:///a.b  | mcp/request:resources/read:file:///a.b
            mcp.response.tools/call                 | mcp/response:tools/call
            mcp.response.tools/call:x               | mcp/response:tools/call:x
            mcp.proposal.tools/call                 | mcp/proposal:tools/call
            mcpx.withdraw.proposal                  | mcpx/withdraw:proposal
            chat.message                            | chat
            system.proposal.withdrawn               | system/proposal:withdrawn
            system.welcome                          | system/welcome
            system.presence                         | system/presence
            system.error                            | system/error
            """)
    void kindsBeforeAdr008MeanTheSame(String current, String old) {
        assertThat(Kind.of(old)).isEqualTo(Kind.of(current));
        assertThat(Kind.of(current).format(EnvelopeSyntax.LEGACY)).isEqualTo(old);
        assertThat(Kind.of(old).format(EnvelopeSyntax.CURRENT)).isEqualTo(current);
        assertThat(EnvelopeSyntax.of(old)).isEqualTo(EnvelopeSyntax.LEGACY);
        assertThat(EnvelopeSyntax.of(current)).isEqualTo(EnvelopeSyntax.CURRENT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mcpx.reject.proposal",
                "mcpx.status.proposal",
                "system.proposal.expired",
                "system.resync",
                "chat.message.text",
                "chat.typing",
                "mcp.other.x",
                "x.y"
            })
    void kindsThatNeverHadAnOldFormKeepTheirs(String kind) {
        assertThat(Kind.of(kind).format(EnvelopeSyntax.LEGACY)).isEqualTo(kind);
    }

    @Test
    void thePresenceOfTheOldSpecificationIsTheGatewaysToo() {
        assertThat(Kind.of("presence")).isEqualTo(Kind.of("system.presence"));
    }

    @Test
    void systemKindsAreReservedInBothSpellings() {
        assertThat(Kind.of("system.anything.else").isReserved()).isTrue();
        assertThat(Kind.of("system/error").isReserved()).isTrue();
        assertThat(Kind.of("systems.x").isReserved()).isFalse();
    }

    @Test
    void aKindThatCouldNotBeWrittenCannotBeMade() {
        assertThatThrownBy(() -> new Kind("a.b", "c", null, null)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Kind("a", "b", "c:d", null)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Kind("a", "b", null, "c")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Kind.of("nonsense")).hasMessageContaining("'nonsense'");
    }

    @Property
    void everyKindComesBackFromEitherSpelling(@ForAll("kinds") Kind kind, @ForAll EnvelopeSyntax syntaxVersion) {
        assertThat(Kind.of(kind.format(syntaxVersion))).isEqualTo(kind);
    }

    @Provide
    Arbitrary<Kind> kinds() {
        Arbitrary<String> protocols =
                Arbitraries.of("mcp", "mcpx", "chat", "system", "x").injectDuplicates(0.1);
        Arbitrary<String> operations = Arbitraries.of("request", "response", "proposal", "message", "error", "y-1");
        Arbitrary<@Nullable String> methods = Arbitraries.strings()
                .withChars("ab./_-é")
                .ofMinLength(1)
                .ofMaxLength(12)
                .injectNull(0.3);
        Arbitrary<@Nullable String> contexts = Arbitraries.strings()
                .withChars("ab./:_- é\uD83D\uDE00*")
                .ofMinLength(1)
                .ofMaxLength(12)
                .injectNull(0.3);
        return Combinators.combine(protocols, operations, methods, contexts)
                .as((p, o, m, c) -> new Kind(p, o, m, m == null ? null : c));
    }
}
