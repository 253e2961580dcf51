package dev.gavel.app.register;

import static dev.gavel.app.register.Desk.CHAT;
import static dev.gavel.app.register.Desk.configured;
import static dev.gavel.app.register.Desk.identity;
import static dev.gavel.app.register.Desk.lasting;
import static dev.gavel.app.register.Desk.placed;
import static dev.gavel.app.register.Desk.token;
import static dev.gavel.app.register.Desk.withRoles;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gavel.app.identity.Identity;
import dev.gavel.app.identity.TokenHash;
import dev.gavel.app.register.Command.RemoveMember;
import dev.gavel.app.register.Command.RevokeTokens;
import dev.gavel.app.register.Command.SetMember;
import dev.gavel.ledger.Body;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.LedgerFailure;
import dev.gavel.mcpx.Capabilities;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is kept, read back; and what becomes of it when the configuration is another one. */
class RegisterTest {
    private final Desk desk = new Desk();

    private static RevokeTokens revoke(String name) {
        return new RevokeTokens(name, Optional.empty());
    }

    @Test
    void everyChangeIsReadBackAsItWasKept() {
        Capabilities looking = Capabilities.fromJson(
                        "[\"chat.*\",{\"kind\":\"mcp.request.tools/call\",\"payload\":{\"params\":{\"name\":[\"a\",\"!b*\"]}}}]"
                                .getBytes(StandardCharsets.UTF_8))
                .orThrow();
        TokenHash hash = TokenHash.of("secret");
        for (Change change : List.of(
                new Change.TokenCreated("k-1", hash, Optional.empty()),
                new Change.TokenCreated("k-1", hash, Optional.of(desk.now)),
                new Change.TokenRevoked("k-1", hash),
                new Change.RolesSet(Set.of("admin", "maintainer")),
                new Change.RolesSet(Set.of()),
                new Change.MemberSet("ops", looking),
                new Change.MemberSet("ops", Capabilities.NONE),
                new Change.MemberRemoved("ops"),
                new Change.MemberReset("ops"))) {
            assertThat(Changes.read(
                            event(Changes.type(change), Changes.body(change).toString())))
                    .isEqualTo(change);
        }
    }

    private Event event(String type, String body) {
        return new Event(Register.STREAM, 7, desk.now, "x", type, "alice", null, Body.of(body));
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
    void anEventThatCannotBeReadIsNamed(String type, String body) {
        assertThatThrownBy(() -> desk.register.after(List.of(event(type, body))))
                .isInstanceOf(LedgerFailure.class)
                .hasMessageContaining("system:identities")
                .hasMessageContaining("seq 7");
    }

    @Test
    void noEventHoldsASecret() {
        desk.put(token("x", "the-secret-itself"));
        assertThat(desk.events.getFirst().body().toString())
                .contains(TokenHash.of("the-secret-itself").hex());
    }

    @Test
    void aLineThatNeverEndsIsKeptOfEachIdentity() {
        desk.put(placed("x", "k-1", "ops", Optional.of(CHAT)));
        desk.put(revoke("x"));
        var line = new RegisterProjector().summarise(desk.events);
        assertThat(line.open()).isTrue();
        assertThat(line.endedAt()).isNull();
        assertThat(line.dueAt()).isNull();
        assertThat(line.lastSeq()).isEqualTo(3);
        assertThat(line.subject()).isEqualTo("x");
    }

    @Test
    void aRevokedConfiguredTokenIsRefusedUntilAnotherIsConfigured() {
        desk.put(revoke("helper"));
        Register again =
                configured(identity("alice", "admin"), identity("helper")).after(desk.events);
        assertThat(again.grants(desk.now)).containsOnlyKeys(TokenHash.of("alice"));
        Identity renewed =
                new Identity("helper", "helper", Set.of(), List.of(), Optional.of(TokenHash.of("another one")));
        Register later = configured(identity("alice", "admin"), renewed).after(desk.events);
        assertThat(later.grants(desk.now)).containsOnlyKeys(TokenHash.of("alice"), TokenHash.of("another one"));
    }

    @Test
    void aRevokedTokenIsRefusedThoughSomebodyElseIsConfiguredWithIt() {
        desk.put(token("x", "k-1"));
        desk.put(revoke("x"));
        Identity other = new Identity("other", "other", Set.of(), List.of(), Optional.of(TokenHash.of("k-1")));
        assertThat(configured(identity("alice", "admin"), other)
                        .after(desk.events)
                        .grants(desk.now))
                .containsOnlyKeys(TokenHash.of("alice"));
    }

    @Test
    void aTokenThatTwoHaveIsTheConfiguredOnes() {
        desk.put(token("x", "k-1"));
        Identity other = new Identity("other", "other", Set.of(), List.of(), Optional.of(TokenHash.of("k-1")));
        assertThat(configured(identity("alice", "admin"), other)
                        .after(desk.events)
                        .grants(desk.now)
                        .get(TokenHash.of("k-1")))
                .extracting(grant -> grant.identity().id())
                .isEqualTo("other");
    }

    @Test
    void whoWasMadeAtRunTimeCanBeConfiguredLater() {
        desk.put(placed("x", "k-1", "ops", Optional.of(CHAT)));
        Register later = configured(identity("alice", "admin"), identity("x", "maintainer"))
                .after(desk.events);
        assertThat(later.grants(desk.now))
                .containsOnlyKeys(TokenHash.of("alice"), TokenHash.of("x"), TokenHash.of("k-1"));
        assertThat(later.roles("x")).containsExactly("maintainer");
        assertThat(later.capabilities("ops", "x")).contains(CHAT);
    }

    @Test
    void whoIsConfiguredNoMoreAndHasNoOtherTokenIsNoMember() {
        desk.put(new SetMember("ops", "files", CHAT));
        Register later = configured(identity("alice", "admin")).after(desk.events);
        assertThat(later.knows("files")).isFalse();
        assertThat(later.members("ops")).doesNotContainKey("files");
        assertThat(later.differences()).singleElement().asString().contains("'files'", "no effect");
    }

    @Test
    void aTopicThatIsNoMoreChangesNothing() {
        desk.put(new SetMember("lab", "helper", CHAT));
        Register later = Register.of(Map.of("helper", identity("helper")), Map.of("ops", Map.of("helper", CHAT)))
                .after(desk.events);
        assertThat(later.topicsOf("helper")).containsExactly("ops");
        assertThat(later.members("lab")).isEmpty();
        assertThat(later.differences()).singleElement().asString().contains("no such topic", "alice");
    }

    @Test
    void whatDiffersFromTheConfigurationIsSaidWithTheWayBack() {
        desk.put(new SetMember("ops", "helper", CHAT));
        desk.put(withRoles("helper", "k-1", "maintainer"));
        desk.put(new RemoveMember("ops", "helper"));
        desk.put(revoke("helper"));
        desk.put(token("x", "k-2"));
        assertThat(desk.register.differences())
                .satisfiesExactly(
                        line -> assertThat(line).contains("configured token of 'helper'", "alice at 2026-01-05"),
                        line -> assertThat(line).contains("[maintainer]", "alice", "the configuration says []"),
                        line -> assertThat(line)
                                .contains("'helper' was taken out of 'ops' by alice")
                                .endsWith("gavel member reset ops helper"),
                        line -> assertThat(line).isEqualTo("made at run time and not in the configuration: x"));
    }

    @Test
    void whatIsAsConfiguredIsNotSaid() {
        desk.put(new SetMember("ops", "helper", Desk.PROPOSE));
        desk.put(withRoles("helper", "k-1", "maintainer"));
        desk.put(withRoles("helper", "k-2"));
        assertThat(desk.register.differences()).isEmpty();
    }

    /** So an event costs the same to read at the end of a long history as at its beginning. */
    @Test
    void whatIsKeptInMemoryDoesNotGrowWithTheHistory() {
        for (int i = 0; i < 1000; i++) {
            desk.put(token("x", "k-" + i));
            desk.put(revoke("x"));
        }
        desk.put(revoke("helper"));
        Register again =
                configured(identity("alice", "admin"), identity("helper")).replayed(desk.events::forEach);
        assertThat(desk.events).hasSize(2001);
        assertThat(again.entry("x").tokens()).hasSize(Entry.MOST_ENDED + 1);
        assertThat(again.entry("x").refused()).isEmpty();
        assertThat(again.entry("helper").refused()).containsOnlyKeys(TokenHash.of("helper"));
        assertThat(again.grants(desk.now)).containsOnlyKeys(TokenHash.of("alice"));
        assertThat(again.tokens("x")).isEqualTo(desk.register.tokens("x"));
    }

    @Test
    void endedTokensAreNotShownForever() {
        for (int i = 0; i < 500; i++) {
            desk.put(lasting("x", "k-" + i, Duration.ofSeconds(1)));
            desk.now = desk.now.plusSeconds(1);
        }
        assertThat(desk.register.tokens("x")).hasSizeLessThanOrEqualTo(Entry.MOST_ENDED + 1);
        assertThat(desk.register.tokens("x").getLast().id()).isEqualTo("k-499");
        assertThat(desk.register.knows("x")).isTrue();
    }
}
