package dev.gavel.gateway.proposal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Names of members in texts. */
class MemberNamesTest {
    @Test
    void aMemberIsCalledByItsDisplayName() {
        MemberNames names = MemberNames.of(Map.of("you", "Owner", "files", "files"));
        assertThat(names.of("you")).isEqualTo("Owner");
        assertThat(names.withId("you")).isEqualTo("Owner (you)");
        assertThat(names.of("files")).isEqualTo("files");
        assertThat(names.withId("files")).isEqualTo("files");
        assertThat(names.of("gone")).isEqualTo("gone");
    }

    @Test
    void aNameThatCouldBeTakenForAnotherMemberHasItsIdBesideIt() {
        assertThat(MemberNames.of(Map.of("mallory", "Alice", "alice", "alice")).of("mallory"))
                .isEqualTo("Alice (mallory)");
        assertThat(MemberNames.of(Map.of("mallory", " Bob", "bob2", "bob")).of("mallory"))
                .isEqualTo("Bob (mallory)");
        assertThat(MemberNames.of(Map.of("mallory", "You")).of("mallory")).isEqualTo("You (mallory)");
        assertThat(MemberNames.of(Map.of("mallory", "Owner (you)")).of("mallory"))
                .isEqualTo("Owner (you) (mallory)");
        assertThat(MemberNames.of(Map.of("mallory", "al\u200bice")).of("mallory"))
                .isEqualTo("al\\u200bice (mallory)");
    }

    @Test
    void hiddenMembersAreAReviewer() {
        MemberNames names = MemberNames.of(Map.of("alice", "Alice", "bob", "bob", "files", "files"))
                .hiding(Set.of("alice", "bob"));
        assertThat(names.joinWithOr(List.of("alice", "bob"))).isEqualTo("a reviewer");
        assertThat(names.joinWithOr(List.of("alice", "files"))).isEqualTo("a reviewer or files");
        assertThat(names.ids(List.of("alice", "bob", "files"))).containsExactly("a reviewer", "files");
        assertThat(names.withId("alice")).isEqualTo("a reviewer");
    }
}
