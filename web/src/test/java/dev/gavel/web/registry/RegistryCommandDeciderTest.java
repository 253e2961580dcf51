package dev.gavel.web.registry;

import static dev.gavel.web.registry.TestRegistry.CHAT;
import static dev.gavel.web.registry.TestRegistry.PROPOSE;
import static dev.gavel.web.registry.TestRegistry.expiringToken;
import static dev.gavel.web.registry.TestRegistry.token;
import static dev.gavel.web.registry.TestRegistry.tokenInTopic;
import static dev.gavel.web.registry.TestRegistry.withRoles;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.web.identity.Identity;
import dev.gavel.web.identity.TokenHash;
import dev.gavel.web.registry.RegistryCommand.CreateToken;
import dev.gavel.web.registry.RegistryCommand.RemoveMember;
import dev.gavel.web.registry.RegistryCommand.ResetMember;
import dev.gavel.web.registry.RegistryCommand.RevokeTokens;
import dev.gavel.web.registry.RegistryCommand.SetMember;
import dev.gavel.web.registry.RegistryCommand.SetRoles;
import dev.gavel.web.registry.RegistryDecisionResult.Reason;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RegistryCommandDeciderTest {
    private final TestRegistry testRegistry = new TestRegistry();

    private static RevokeTokens revokeAll(String name) {
        return new RevokeTokens(name, Optional.empty());
    }

    private static RevokeTokens revokeOne(String name, String id) {
        return new RevokeTokens(name, Optional.of(id));
    }

    private static Reason refusalReason(RegistryDecisionResult registryDecisionResult) {
        assertThat(registryDecisionResult).isInstanceOf(RegistryDecisionResult.Refused.class);
        return ((RegistryDecisionResult.Refused) registryDecisionResult).reason();
    }

    private static int changeCount(RegistryDecisionResult registryDecisionResult) {
        assertThat(registryDecisionResult).isInstanceOf(RegistryDecisionResult.Changed.class);
        return ((RegistryDecisionResult.Changed) registryDecisionResult)
                .changes()
                .size();
    }

    /** A token that expires after five seconds, for an admin. */
    private static CreateToken expiringAdminToken(String name, String id) {
        return new CreateToken(
                name,
                id,
                TokenHash.of(id),
                Optional.of(Duration.ofSeconds(5)),
                Optional.empty(),
                Optional.empty(),
                Optional.of(Set.of(Identity.ADMIN)));
    }

    @Test
    void onlyAnAdminChangesAnything() {
        assertThat(refusalReason(testRegistry.execute("helper", token("x", "k-1"))))
                .isEqualTo(Reason.NOT_ADMIN);
        assertThat(refusalReason(testRegistry.execute("stranger", revokeAll("helper"))))
                .isEqualTo(Reason.NOT_ADMIN);
        assertThat(refusalReason(testRegistry.execute("helper", new SetMember("ops", "helper", CHAT))))
                .isEqualTo(Reason.NOT_ADMIN);
    }

    @Test
    void aTokenCreatesItsIdentity() {
        assertThat(testRegistry.registrySnapshot.contains("x")).isFalse();
        assertThat(changeCount(testRegistry.execute(token("x", "k-1")))).isEqualTo(1);
        assertThat(testRegistry.registrySnapshot.names()).containsExactly("alice", "helper", "files", "x");
        assertThat(testRegistry.ownerOf("k-1")).contains("x");
    }

    @Test
    void aNameThatDiffersOnlyInCaseIsRefused() {
        assertThat(refusalReason(testRegistry.execute(token("Alice", "k-1")))).isEqualTo(Reason.NAME_TAKEN);
        assertThat(testRegistry.registrySnapshot.contains("Alice")).isFalse();
    }

    @Test
    void aBridgeGetsNoTokenAndItsTokensAreRefused() {
        testRegistry.execute(token("files", "k-1"));
        assertThat(testRegistry.registrySnapshot.grants(testRegistry.now)).containsKey(TokenHash.of("k-1"));
        testRegistry.registrySnapshot = testRegistry.registrySnapshot.withOwnParticipants(Set.of("files"));
        assertThat(testRegistry.registrySnapshot.grants(testRegistry.now)).doesNotContainKey(TokenHash.of("k-1"));
        assertThat(refusalReason(testRegistry.execute(token("files", "k-2")))).isEqualTo(Reason.BRIDGED);
    }

    @Test
    void severalTokensAreValidAtOnce() {
        testRegistry.execute(token("helper", "k-1"));
        testRegistry.execute(token("helper", "k-2"));
        assertThat(testRegistry.ownerOf("helper")).contains("helper");
        assertThat(testRegistry.ownerOf("k-1")).contains("helper");
        testRegistry.execute(revokeOne("helper", "k-1"));
        assertThat(testRegistry.ownerOf("k-1")).isEmpty();
        assertThat(testRegistry.ownerOf("k-2")).contains("helper");
    }

    @Test
    void aTokenIsValidUntilItExpires() {
        testRegistry.execute(expiringToken("x", "k-1", Duration.ofDays(30)));
        assertThat(testRegistry.registrySnapshot.nextExpiry(testRegistry.now))
                .contains(testRegistry.now.plus(Duration.ofDays(30)));
        testRegistry.now = testRegistry.now.plus(Duration.ofDays(30)).minusNanos(1000);
        assertThat(testRegistry.ownerOf("k-1")).contains("x");
        testRegistry.now = testRegistry.now.plusNanos(1000);
        assertThat(testRegistry.ownerOf("k-1")).isEmpty();
        assertThat(testRegistry.registrySnapshot.nextExpiry(testRegistry.now)).isEmpty();
        assertThat(refusalReason(testRegistry.execute(revokeOne("x", "k-1")))).isEqualTo(Reason.ALREADY_REVOKED);
    }

    @Test
    void allTokensAreRevokedTheConfiguredOneIncluded() {
        testRegistry.execute(token("helper", "k-1"));
        assertThat(changeCount(testRegistry.execute(revokeAll("helper")))).isEqualTo(2);
        assertThat(testRegistry.ownerOf("helper")).isEmpty();
        assertThat(testRegistry.ownerOf("k-1")).isEmpty();
        assertThat(refusalReason(testRegistry.execute(revokeAll("helper")))).isEqualTo(Reason.ALREADY_REVOKED);
        assertThat(refusalReason(testRegistry.execute(revokeOne("helper", RegistryToken.CONFIGURED))))
                .isEqualTo(Reason.ALREADY_REVOKED);
    }

    @Test
    void unknownTokensCannotBeRevoked() {
        assertThat(refusalReason(testRegistry.execute(revokeAll("x")))).isEqualTo(Reason.UNKNOWN_IDENTITY);
        assertThat(refusalReason(testRegistry.execute(revokeOne("helper", "k-9"))))
                .isEqualTo(Reason.UNKNOWN_TOKEN);
        assertThat(refusalReason(testRegistry.execute(revokeAll("files")))).isEqualTo(Reason.UNKNOWN_TOKEN);
    }

    @Test
    void rolesAreReplacedAndEqualRolesAreNotRecorded() {
        assertThat(changeCount(testRegistry.execute(withRoles("helper", "k-1", "maintainer"))))
                .isEqualTo(2);
        assertThat(testRegistry.registrySnapshot.roles("helper")).containsExactly("maintainer");
        assertThat(changeCount(testRegistry.execute(withRoles("helper", "k-2", "maintainer"))))
                .isEqualTo(1);
        testRegistry.execute(withRoles("helper", "k-3"));
        assertThat(testRegistry.registrySnapshot.roles("helper")).isEmpty();
    }

    @Test
    void theLastAdminIsNotLockedOut() {
        assertThat(refusalReason(testRegistry.execute(revokeAll("alice")))).isEqualTo(Reason.LAST_ADMIN);
        assertThat(refusalReason(testRegistry.execute(withRoles("alice", "k-1", "maintainer"))))
                .isEqualTo(Reason.LAST_ADMIN);
        testRegistry.execute(withRoles("bob", "k-2", Identity.ADMIN));
        testRegistry.execute(expiringToken("bob", "k-3", Duration.ofSeconds(5)));
        assertThat(changeCount(testRegistry.execute(revokeAll("alice")))).isEqualTo(1);
        assertThat(changeCount(testRegistry.execute("bob", revokeOne("bob", "k-3"))))
                .isEqualTo(1);
        assertThat(refusalReason(testRegistry.execute("bob", revokeOne("bob", "k-2"))))
                .isEqualTo(Reason.LAST_ADMIN);
    }

    @Test
    void anExpiringAdminTokenDoesNotReplaceAPermanentOne() {
        testRegistry.execute(expiringAdminToken("temp", "k-2"));
        assertThat(testRegistry.registrySnapshot.isAdmin("temp")).isTrue();
        assertThat(refusalReason(testRegistry.execute(revokeAll("alice")))).isEqualTo(Reason.LAST_ADMIN);
        assertThat(refusalReason(testRegistry.execute("temp", revokeAll("alice"))))
                .isEqualTo(Reason.LAST_ADMIN);
        assertThat(refusalReason(testRegistry.execute("temp", withRoles("alice", "k-3"))))
                .isEqualTo(Reason.LAST_ADMIN);
    }

    @Test
    void ifAllAdminTokensExpireOneIsEnough() {
        testRegistry.execute(expiringAdminToken("temp", "k-2"));
        testRegistry.execute(expiringToken("temp", "k-3", Duration.ofSeconds(9)));
        testRegistry.registrySnapshot =
                TestRegistry.configured(TestRegistry.identity("alice")).apply(testRegistry.events);
        assertThat(changeCount(testRegistry.execute("temp", revokeOne("temp", "k-2"))))
                .isEqualTo(1);
        assertThat(refusalReason(testRegistry.execute("temp", revokeOne("temp", "k-3"))))
                .isEqualTo(Reason.LAST_ADMIN);
    }

    @Test
    void anExpiredTokenDoesNotCountAsAdmin() {
        testRegistry.execute(withRoles("bob", "k-1", Identity.ADMIN));
        testRegistry.execute(revokeOne("bob", "k-1"));
        testRegistry.execute(expiringToken("bob", "k-2", Duration.ofSeconds(5)));
        testRegistry.now = testRegistry.now.plusSeconds(5);
        assertThat(refusalReason(testRegistry.execute(revokeAll("alice")))).isEqualTo(Reason.LAST_ADMIN);
    }

    @Test
    void aTokenCanIncludeAMembership() {
        assertThat(changeCount(testRegistry.execute(tokenInTopic("x", "k-1", "ops", Optional.of(CHAT)))))
                .isEqualTo(2);
        assertThat(testRegistry.registrySnapshot.capabilities("ops", "x")).contains(CHAT);
        assertThat(testRegistry.registrySnapshot.topicsOf("x")).containsExactly("ops");
        assertThat(changeCount(testRegistry.execute(tokenInTopic("x", "k-2", "ops", Optional.empty()))))
                .isEqualTo(1);
        assertThat(refusalReason(testRegistry.execute(tokenInTopic("x", "k-3", "lab", Optional.empty()))))
                .isEqualTo(Reason.BAD_CAPABILITY);
        assertThat(refusalReason(testRegistry.execute(tokenInTopic("x", "k-3", "nowhere", Optional.of(CHAT)))))
                .isEqualTo(Reason.NO_SUCH_TOPIC);
        assertThat(testRegistry.ownerOf("k-3")).isEmpty();
    }

    @Test
    void aReusedNameHasNoRolesOrMemberships() {
        testRegistry.execute(withRoles("x", "k-1", Identity.ADMIN));
        testRegistry.execute(new SetMember("ops", "x", CHAT));
        testRegistry.execute(new SetMember("lab", "x", CHAT));
        testRegistry.execute(revokeAll("x"));
        assertThat(refusalReason(testRegistry.execute(tokenInTopic("x", "k-2", "ops", Optional.empty()))))
                .isEqualTo(Reason.BAD_CAPABILITY);
        assertThat(changeCount(testRegistry.execute(tokenInTopic("x", "k-2", "ops", Optional.of(CHAT)))))
                .as("the token, the roles, two places left and one taken")
                .isEqualTo(5);
        assertThat(testRegistry.registrySnapshot.roles("x")).isEmpty();
        assertThat(testRegistry.registrySnapshot.topicsOf("x")).containsExactly("ops");
    }

    @Test
    void anIdentityWithAValidTokenKeepsRolesAndMemberships() {
        testRegistry.execute(withRoles("x", "k-1", "maintainer"));
        testRegistry.execute(new SetMember("ops", "x", CHAT));
        assertThat(changeCount(testRegistry.execute(token("x", "k-2")))).isEqualTo(1);
        assertThat(testRegistry.registrySnapshot.roles("x")).containsExactly("maintainer");
        assertThat(testRegistry.registrySnapshot.topicsOf("x")).containsExactly("ops");
    }

    @Test
    void aReusedConfiguredNameGetsTheConfiguredRoles() {
        testRegistry.execute(new SetRoles("helper", Set.of(Identity.ADMIN)));
        testRegistry.execute(new RemoveMember("ops", "helper"));
        testRegistry.execute(revokeAll("helper"));
        testRegistry.execute(token("helper", "k-1"));
        assertThat(testRegistry.registrySnapshot.roles("helper")).isEmpty();
        assertThat(testRegistry.registrySnapshot.topicsOf("helper"))
                .as("who was taken out stays out")
                .isEmpty();
    }

    @Test
    void settingsBeforeTheFirstTokenStay() {
        testRegistry.execute(new SetRoles("files", Set.of("maintainer")));
        testRegistry.execute(new SetMember("ops", "files", CHAT));
        assertThat(changeCount(testRegistry.execute(token("files", "k-1")))).isEqualTo(1);
        assertThat(testRegistry.registrySnapshot.roles("files")).containsExactly("maintainer");
        assertThat(testRegistry.registrySnapshot.topicsOf("files")).containsExactly("ops");
    }

    @Test
    void aNameNoLongerConfiguredLosesItsSettings() {
        testRegistry.execute(new SetRoles("files", Set.of(Identity.ADMIN)));
        testRegistry.execute(new SetMember("ops", "files", CHAT));
        testRegistry.registrySnapshot = TestRegistry.configured(TestRegistry.identity("alice", Identity.ADMIN))
                .apply(testRegistry.events);
        testRegistry.execute(token("files", "k-1"));
        assertThat(testRegistry.registrySnapshot.roles("files")).isEmpty();
        assertThat(testRegistry.registrySnapshot.topicsOf("files")).isEmpty();
    }

    @Test
    void rolesAreSetButNotThoseOfTheLastAdmin() {
        assertThat(changeCount(testRegistry.execute(new SetRoles("helper", Set.of("maintainer")))))
                .isEqualTo(1);
        assertThat(changeCount(testRegistry.execute(new SetRoles("helper", Set.of("maintainer")))))
                .isZero();
        assertThat(testRegistry.registrySnapshot.roles("helper")).containsExactly("maintainer");
        assertThat(refusalReason(testRegistry.execute(new SetRoles("alice", Set.of()))))
                .isEqualTo(Reason.LAST_ADMIN);
        assertThat(refusalReason(testRegistry.execute(new SetRoles("x", Set.of()))))
                .isEqualTo(Reason.UNKNOWN_IDENTITY);
        testRegistry.execute(expiringAdminToken("temp", "k-1"));
        assertThat(refusalReason(testRegistry.execute(new SetRoles("alice", Set.of()))))
                .isEqualTo(Reason.LAST_ADMIN);
    }

    @Test
    void runtimeMembershipOverridesTheConfiguration() {
        testRegistry.execute(new SetMember("ops", "helper", CHAT));
        assertThat(testRegistry.registrySnapshot.capabilities("ops", "helper")).contains(CHAT);
        testRegistry.execute(new RemoveMember("ops", "helper"));
        assertThat(testRegistry.registrySnapshot.capabilities("ops", "helper")).isEmpty();
        assertThat(refusalReason(testRegistry.execute(new RemoveMember("ops", "helper"))))
                .isEqualTo(Reason.NOT_A_MEMBER);
        testRegistry.execute(new ResetMember("ops", "helper"));
        assertThat(testRegistry.registrySnapshot.capabilities("ops", "helper")).contains(PROPOSE);
        assertThat(testRegistry.registrySnapshot.hasMembershipOverride("ops", "helper"))
                .isFalse();
    }

    @Test
    void unchangedMembershipsAreNotRecorded() {
        testRegistry.execute(new SetMember("ops", "alice", CHAT));
        assertThat(changeCount(testRegistry.execute(new SetMember("ops", "alice", CHAT))))
                .isZero();
        assertThat(changeCount(testRegistry.execute(new ResetMember("ops", "helper"))))
                .isZero();
        assertThat(changeCount(testRegistry.execute(new SetMember("ops", "helper", PROPOSE))))
                .as("what the configuration says now may be settled, lest it change")
                .isEqualTo(1);
    }

    @Test
    void membershipNeedsAnIdentityAndATopic() {
        assertThat(refusalReason(testRegistry.execute(new SetMember("ops", "x", CHAT))))
                .isEqualTo(Reason.UNKNOWN_IDENTITY);
        assertThat(refusalReason(testRegistry.execute(new SetMember("nowhere", "helper", CHAT))))
                .isEqualTo(Reason.NO_SUCH_TOPIC);
        assertThat(refusalReason(testRegistry.execute(new RemoveMember("ops", "x"))))
                .isEqualTo(Reason.NOT_A_MEMBER);
        assertThat(refusalReason(testRegistry.execute(new ResetMember("ops", "x"))))
                .isEqualTo(Reason.UNKNOWN_IDENTITY);
    }

    @Test
    void tokensPerIdentityAreLimited() {
        IntStream.range(0, RegistryCommandDecider.MAX_TOKENS).forEach(i -> testRegistry.execute(token("x", "k-" + i)));
        assertThat(refusalReason(testRegistry.execute(token("x", "k-more")))).isEqualTo(Reason.TOO_MANY);
        testRegistry.execute(revokeOne("x", "k-7"));
        assertThat(changeCount(testRegistry.execute(token("x", "k-more")))).isEqualTo(1);
    }

    @Test
    void identitiesAreLimited() {
        Identity[] many = IntStream.range(0, RegistryCommandDecider.MAX_IDENTITIES - 1)
                .mapToObj(i -> TestRegistry.identityWithoutToken("i-" + i))
                .toArray(Identity[]::new);
        many[0] = TestRegistry.identity("alice", Identity.ADMIN);
        testRegistry.registrySnapshot = TestRegistry.configured(many);
        assertThat(changeCount(testRegistry.execute(token("x", "k-1")))).isEqualTo(1);
        assertThat(refusalReason(testRegistry.execute(token("y", "k-2")))).isEqualTo(Reason.TOO_MANY);
        assertThat(changeCount(testRegistry.execute(token("x", "k-3")))).isEqualTo(1);
    }
}
