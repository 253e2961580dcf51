package dev.gavel.mcpx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which topic names and member ids are valid. */
class TopicNameAndMemberIdTest {
    @ParameterizedTest
    @ValueSource(strings = {"main", "0", "a.b", "ops-2_x", "a._", "a.-", "a__b", "a-", "team.ops.night"})
    void topicsAreSmallLettersAndDigitsDividedByDots(String name) {
        assertThat(TopicName.parse(name)).isEqualTo(new ValueParseResult.Valid<>(new TopicName(name)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Main", ".a", "a.", "a..b", "_a", "-a", "a b", "a/b", "ä", "a\n", "../etc"})
    void otherTopicNamesAreInvalid(String name) {
        assertThat(TopicName.parse(name)).isInstanceOf(ValueParseResult.Invalid.class);
        assertThatThrownBy(() -> new TopicName(name)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aTopicHas64CharactersDotsAside() {
        assertThat(TopicName.parse("a".repeat(64))).isInstanceOf(ValueParseResult.Valid.class);
        assertThat(TopicName.parse("a".repeat(65))).isInstanceOf(ValueParseResult.Invalid.class);
        assertThat(TopicName.parse("a" + ".a".repeat(63))).isInstanceOf(ValueParseResult.Valid.class);
        assertThat(TopicName.parse("a" + ".a".repeat(64))).isInstanceOf(ValueParseResult.Invalid.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"alice", "untrusted-agent", "Files_2", "bob@example.org", "0"})
    void memberIdsAreLettersDigitsAndAFewMarks(String id) {
        assertThat(MemberId.parse(id)).isEqualTo(new ValueParseResult.Valid<>(new MemberId(id)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "system:gateway", "can:chat.message", ".x", "a b", "ü", "a\n"})
    void noMemberIdLooksLikeTheGatewayOrACapability(String id) {
        assertThat(MemberId.parse(id)).isInstanceOf(ValueParseResult.Invalid.class);
    }

    @Test
    void everyErrorOfTheTableHasItsNameAndASentence() {
        assertThat(Arrays.stream(EnvelopeErrorCode.values()).map(EnvelopeErrorCode::wireName))
                .containsExactly(
                        "malformed",
                        "unsupported_protocol",
                        "identity_mismatch",
                        "duplicate_id",
                        "reserved_namespace",
                        "kind_payload_mismatch",
                        "access_ended",
                        "capability_violation",
                        "unknown_proposal",
                        "proposal_closed",
                        "already_fulfilled",
                        "not_proposer",
                        "own_proposal",
                        "fulfilment_mismatch",
                        "invalid_arguments",
                        "definition_changed",
                        "approval_required",
                        "unknown_tool",
                        "not_addressee",
                        "unknown_recipient",
                        "ask_limit",
                        "quota_exceeded",
                        "rate_limited",
                        "too_large",
                        "unavailable");
        assertThat(EnvelopeErrorCode.values())
                .allSatisfy(code -> assertThat(code.description()).matches("[A-Z].+\\."));
    }

    @Test
    void limitsAreAtLeastOne() {
        assertThatThrownBy(() -> EnvelopeLimits.DEFAULT.withBytes(0)).isInstanceOf(IllegalArgumentException.class);
        assertThat(EnvelopeLimits.DEFAULT.bytes()).isEqualTo(1024 * 1024);
    }
}
