package dev.gavel.web.registry;

import static dev.gavel.web.registry.TestRegistry.CHAT;
import static dev.gavel.web.registry.TestRegistry.configured;
import static dev.gavel.web.registry.TestRegistry.expiringToken;
import static dev.gavel.web.registry.TestRegistry.identity;
import static dev.gavel.web.registry.TestRegistry.token;
import static dev.gavel.web.registry.TestRegistry.tokenInTopic;
import static dev.gavel.web.registry.TestRegistry.withRoles;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gavel.ledger.LedgerBody;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerException;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.web.identity.Identity;
import dev.gavel.web.identity.IdentityLookupResult;
import dev.gavel.web.identity.TokenHash;
import dev.gavel.web.registry.RegistryCommand.RemoveMember;
import dev.gavel.web.registry.RegistryCommand.RevokeTokens;
import dev.gavel.web.registry.RegistryCommand.SetMember;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that a snapshot is rebuilt from recorded changes, and how changes behave under another configuration. */
class RegistrySnapshotTest {
    private final TestRegistry testRegistry = new TestRegistry();

    private static RevokeTokens revoke(String name) {
        return new RevokeTokens(name, Optional.empty());
    }

    @Test
    void everyChangeIsDecodedAsEncoded() {
        CapabilitySet capabilitySet = CapabilitySet.fromJson(
                        "[\"chat.*\",{\"kind\":\"mcp.request.tools/call\",\"payload\":{\"params\":{\"name\":[\"a\",\"!b*\"]}}}]"
                                .getBytes(StandardCharsets.UTF_8))
                .orThrow();
        TokenHash hash = TokenHash.of("secret");
        for (RegistryChange change : List.of(
                new RegistryChange.TokenCreated("k-1", hash, Optional.empty()),
                new RegistryChange.TokenCreated("k-1", hash, Optional.of(testRegistry.now)),
                new RegistryChange.TokenRevoked("k-1", hash),
                new RegistryChange.RolesSet(Set.of("admin", "maintainer")),
                new RegistryChange.RolesSet(Set.of()),
                new RegistryChange.MemberSet("ops", capabilitySet),
                new RegistryChange.MemberSet("ops", CapabilitySet.NONE),
                new RegistryChange.MemberRemoved("ops"),
                new RegistryChange.MemberReset("ops"))) {
            assertThat(RegistryChangeCodec.decode(event(
                            RegistryChangeCodec.type(change),
                            RegistryChangeCodec.body(change).toString())))
                    .isEqualTo(change);
        }
    }

    private LedgerEvent event(String type, String body) {
        return new LedgerEvent(
                RegistrySnapshot.STREAM, 7, testRegistry.now, "x", type, "alice", null, LedgerBody.of(body));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            token.created  | {"id":"k-1"}
            token.created  | {"id":"k-1","sha256":"short"}
            token.revoked  | [
            member.set     | {"topic":"ops","capabilities":["a b"]}
            member.removed | {}
            crowned        | {}
            """)
    void anInvalidEventIsReportedWithItsSeq(String type, String body) {
        assertThatThrownBy(() -> testRegistry.registrySnapshot.apply(List.of(event(type, body))))
                .isInstanceOf(LedgerException.class)
                .hasMessageContaining("system:identities")
                .hasMessageContaining("seq 7");
    }

    @Test
    void noEventHoldsASecret() {
        testRegistry.execute(token("x", "the-secret-itself"));
        assertThat(testRegistry.events.getFirst().body().toString())
                .contains(TokenHash.of("the-secret-itself").hex());
    }

    @Test
    void theSummaryRowOfAnIdentityStaysOpen() {
        testRegistry.execute(tokenInTopic("x", "k-1", "ops", Optional.of(CHAT)));
        testRegistry.execute(revoke("x"));
        var line = new IdentitySummaryProjector().project(testRegistry.events);
        assertThat(line.open()).isTrue();
        assertThat(line.endedAt()).isNull();
        assertThat(line.dueAt()).isNull();
        assertThat(line.lastSeq()).isEqualTo(3);
        assertThat(line.subject()).isEqualTo("x");
    }

    @Test
    void aRevokedConfiguredTokenIsRefusedUntilAnotherIsConfigured() {
        testRegistry.execute(revoke("helper"));
        RegistrySnapshot rebuilt =
                configured(identity("alice", "admin"), identity("helper")).apply(testRegistry.events);
        assertThat(rebuilt.grants(testRegistry.now)).containsOnlyKeys(TokenHash.of("alice"));
        Identity renewed =
                new Identity("helper", "helper", Set.of(), List.of(), Optional.of(TokenHash.of("another one")));
        RegistrySnapshot later = configured(identity("alice", "admin"), renewed).apply(testRegistry.events);
        assertThat(later.grants(testRegistry.now)).containsOnlyKeys(TokenHash.of("alice"), TokenHash.of("another one"));
    }

    @Test
    void aRevokedTokenIsRefusedEvenIfConfiguredForAnotherIdentity() {
        testRegistry.execute(token("x", "k-1"));
        testRegistry.execute(revoke("x"));
        Identity other = new Identity("other", "other", Set.of(), List.of(), Optional.of(TokenHash.of("k-1")));
        assertThat(configured(identity("alice", "admin"), other)
                        .apply(testRegistry.events)
                        .grants(testRegistry.now))
                .containsOnlyKeys(TokenHash.of("alice"));
    }

    @Test
    void aSharedTokenBelongsToTheConfiguredIdentity() {
        testRegistry.execute(token("x", "k-1"));
        Identity other = new Identity("other", "other", Set.of(), List.of(), Optional.of(TokenHash.of("k-1")));
        assertThat(configured(identity("alice", "admin"), other)
                        .apply(testRegistry.events)
                        .grants(testRegistry.now)
                        .get(TokenHash.of("k-1")))
                .extracting(grant -> grant.identity().id())
                .isEqualTo("other");
    }

    @Test
    void aRuntimeIdentityCanBeConfiguredLater() {
        testRegistry.execute(tokenInTopic("x", "k-1", "ops", Optional.of(CHAT)));
        RegistrySnapshot later = configured(identity("alice", "admin"), identity("x", "maintainer"))
                .apply(testRegistry.events);
        assertThat(later.grants(testRegistry.now))
                .containsOnlyKeys(TokenHash.of("alice"), TokenHash.of("x"), TokenHash.of("k-1"));
        assertThat(later.roles("x")).containsExactly("maintainer");
        assertThat(later.capabilities("ops", "x")).contains(CHAT);
    }

    @Test
    void anIdentityNoLongerConfiguredIsNotAMember() {
        testRegistry.execute(new SetMember("ops", "files", CHAT));
        RegistrySnapshot later = configured(identity("alice", "admin")).apply(testRegistry.events);
        assertThat(later.contains("files")).isFalse();
        assertThat(later.members("ops")).doesNotContainKey("files");
        assertThat(later.differences()).singleElement().asString().contains("'files'", "no effect");
    }

    @Test
    void aRemovedTopicHasNoEffect() {
        testRegistry.execute(new SetMember("lab", "helper", CHAT));
        RegistrySnapshot later = RegistrySnapshot.of(
                        Map.of("helper", identity("helper")), Map.of("ops", Map.of("helper", CHAT)))
                .apply(testRegistry.events);
        assertThat(later.topicsOf("helper")).containsExactly("ops");
        assertThat(later.members("lab")).isEmpty();
        assertThat(later.differences()).singleElement().asString().contains("no such topic", "alice");
    }

    @Test
    void differencesAreListedWithTheResetCommand() {
        testRegistry.execute(new SetMember("ops", "helper", CHAT));
        testRegistry.execute(withRoles("helper", "k-1", "maintainer"));
        testRegistry.execute(new RemoveMember("ops", "helper"));
        testRegistry.execute(revoke("helper"));
        testRegistry.execute(token("x", "k-2"));
        assertThat(testRegistry.registrySnapshot.differences())
                .satisfiesExactly(
                        line -> assertThat(line).contains("configured token of 'helper'", "alice at 2026-01-05"),
                        line -> assertThat(line).contains("[maintainer]", "alice", "The configured roles are []"),
                        line -> assertThat(line)
                                .contains("'helper' was removed from 'ops' by alice")
                                .endsWith("gavel member reset ops helper"),
                        line -> assertThat(line)
                                .isEqualTo("Identities created at run time that are not in the configuration: x"));
    }

    @Test
    void equalSettingsAreNotListed() {
        testRegistry.execute(new SetMember("ops", "helper", TestRegistry.PROPOSE));
        testRegistry.execute(withRoles("helper", "k-1", "maintainer"));
        testRegistry.execute(withRoles("helper", "k-2"));
        assertThat(testRegistry.registrySnapshot.differences()).isEmpty();
    }

    /** So an event at the end of a long history costs the same as one at its beginning. */
    @Test
    void memoryDoesNotGrowWithTheHistory() {
        for (int i = 0; i < 1000; i++) {
            testRegistry.execute(token("x", "k-" + i));
            testRegistry.execute(revoke("x"));
        }
        testRegistry.execute(revoke("helper"));
        RegistrySnapshot rebuilt =
                configured(identity("alice", "admin"), identity("helper")).replay(testRegistry.events::forEach);
        assertThat(testRegistry.events).hasSize(2001);
        assertThat(rebuilt.runtimeChanges("x").tokens()).hasSize(IdentityOverrides.MAX_ENDED_TOKENS + 1);
        assertThat(rebuilt.runtimeChanges("x").revokedConfigTokens()).isEmpty();
        assertThat(rebuilt.runtimeChanges("helper").revokedConfigTokens()).containsOnlyKeys(TokenHash.of("helper"));
        assertThat(rebuilt.grants(testRegistry.now)).containsOnlyKeys(TokenHash.of("alice"));
        assertThat(rebuilt.tokens("x")).isEqualTo(testRegistry.registrySnapshot.tokens("x"));
    }

    @Test
    void expiredTokensAreNotListedForever() {
        for (int i = 0; i < 500; i++) {
            testRegistry.execute(expiringToken("x", "k-" + i, Duration.ofSeconds(1)));
            testRegistry.now = testRegistry.now.plusSeconds(1);
        }
        assertThat(testRegistry.registrySnapshot.tokens("x"))
                .hasSizeLessThanOrEqualTo(IdentityOverrides.MAX_ENDED_TOKENS + 1);
        assertThat(testRegistry.registrySnapshot.tokens("x").getLast().id()).isEqualTo("k-499");
        assertThat(testRegistry.registrySnapshot.contains("x")).isTrue();
    }

    private Optional<String> refusalOfAccessToken(String name) {
        return testRegistry.registrySnapshot.withAccessTokens().lookupForAccessToken(name, testRegistry.now)
                        instanceof IdentityLookupResult.Refused(String reason)
                ? Optional.of(reason)
                : Optional.empty();
    }

    private Optional<String> accessEnd(String name) {
        return testRegistry.registrySnapshot.withAccessTokens().accessEndReason("ops", name, testRegistry.now);
    }

    @Test
    void accessTokensAuthenticateNoIdentityWithoutIssuers() {
        assertThat(testRegistry.registrySnapshot.lookupForAccessToken("helper", testRegistry.now))
                .isInstanceOf(IdentityLookupResult.Refused.class);
    }

    @Test
    void accessTokensAuthenticateConfiguredIdentitiesAndThoseWithAToken() {
        assertThat(refusalOfAccessToken("helper")).isEmpty();
        assertThat(refusalOfAccessToken("files")).isEmpty();
        assertThat(refusalOfAccessToken("stranger").orElseThrow()).contains("'stranger'", "'identities'");
        testRegistry.execute(token("stranger", "k-1"));
        assertThat(refusalOfAccessToken("stranger")).isEmpty();
    }

    @Test
    void accessTokensDoNotAuthenticateWhatIsPartOfTheServer() {
        testRegistry.registrySnapshot = testRegistry.registrySnapshot.withOwnParticipants(Set.of("files"));
        assertThat(refusalOfAccessToken("files").orElseThrow()).contains("part of this server");
    }

    @Test
    void anIdentityWhoseLastTokenWasRevokedCannotUseAccessTokensEither() {
        assertThat(accessEnd("helper")).isEmpty();
        testRegistry.execute(revoke("helper"));
        assertThat(refusalOfAccessToken("helper").orElseThrow()).contains("revoked", "new Gavel token");
        assertThat(accessEnd("helper")).isPresent();
        testRegistry.execute(token("helper", "k-1"));
        assertThat(refusalOfAccessToken("helper")).isEmpty();
        assertThat(accessEnd("helper")).isEmpty();
    }

    @Test
    void anExpiredTokenDoesNotEndTheAccessOfAConfiguredIdentity() {
        testRegistry.execute(new SetMember("ops", "files", CHAT));
        testRegistry.execute(expiringToken("files", "k-1", Duration.ofSeconds(5)));
        testRegistry.execute(expiringToken("temporary", "k-2", Duration.ofSeconds(5)));
        testRegistry.now = testRegistry.now.plusSeconds(10);
        assertThat(refusalOfAccessToken("files")).isEmpty();
        assertThat(accessEnd("files")).isEmpty();
        assertThat(testRegistry.registrySnapshot.accessEndReason("ops", "files", testRegistry.now))
                .isPresent();
        assertThat(refusalOfAccessToken("temporary")).isPresent();
    }
}
