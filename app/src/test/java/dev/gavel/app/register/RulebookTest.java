package dev.gavel.app.register;

import static dev.gavel.app.register.Desk.CHAT;
import static dev.gavel.app.register.Desk.PROPOSE;
import static dev.gavel.app.register.Desk.lasting;
import static dev.gavel.app.register.Desk.placed;
import static dev.gavel.app.register.Desk.token;
import static dev.gavel.app.register.Desk.withRoles;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.identity.Identity;
import dev.gavel.app.identity.TokenHash;
import dev.gavel.app.register.Command.CreateToken;
import dev.gavel.app.register.Command.RemoveMember;
import dev.gavel.app.register.Command.ResetMember;
import dev.gavel.app.register.Command.RevokeTokens;
import dev.gavel.app.register.Command.SetMember;
import dev.gavel.app.register.Command.SetRoles;
import dev.gavel.app.register.Ruling.Why;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RulebookTest {
    private final Desk desk = new Desk();

    private static RevokeTokens all(String name) {
        return new RevokeTokens(name, Optional.empty());
    }

    private static RevokeTokens one(String name, String id) {
        return new RevokeTokens(name, Optional.of(id));
    }

    private static Why why(Ruling ruling) {
        assertThat(ruling).isInstanceOf(Ruling.Refused.class);
        return ((Ruling.Refused) ruling).why();
    }

    private static int changes(Ruling ruling) {
        assertThat(ruling).isInstanceOf(Ruling.Changed.class);
        return ((Ruling.Changed) ruling).changes().size();
    }

    /** Makes an admin for five seconds. */
    private static CreateToken passing(String name, String id) {
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
        assertThat(why(desk.put("helper", token("x", "k-1")))).isEqualTo(Why.NOT_ADMIN);
        assertThat(why(desk.put("stranger", all("helper")))).isEqualTo(Why.NOT_ADMIN);
        assertThat(why(desk.put("helper", new SetMember("ops", "helper", CHAT))))
                .isEqualTo(Why.NOT_ADMIN);
    }

    @Test
    void whoGetsATokenIsThereFromThenOn() {
        assertThat(desk.register.knows("x")).isFalse();
        assertThat(changes(desk.put(token("x", "k-1")))).isEqualTo(1);
        assertThat(desk.register.names()).containsExactly("alice", "helper", "files", "x");
        assertThat(desk.whose("k-1")).contains("x");
    }

    @Test
    void whoIsBridgedGetsNoTokenAndComesWithNone() {
        desk.put(token("files", "k-1"));
        assertThat(desk.register.grants(desk.now)).containsKey(TokenHash.of("k-1"));
        desk.register = desk.register.running(Set.of("files"));
        assertThat(desk.register.grants(desk.now)).doesNotContainKey(TokenHash.of("k-1"));
        assertThat(why(desk.put(token("files", "k-2")))).isEqualTo(Why.BRIDGED);
    }

    @Test
    void severalTokensAreGoodAtOnce() {
        desk.put(token("helper", "k-1"));
        desk.put(token("helper", "k-2"));
        assertThat(desk.whose("helper")).contains("helper");
        assertThat(desk.whose("k-1")).contains("helper");
        desk.put(one("helper", "k-1"));
        assertThat(desk.whose("k-1")).isEmpty();
        assertThat(desk.whose("k-2")).contains("helper");
    }

    @Test
    void aTokenIsGoodUntilItExpires() {
        desk.put(lasting("x", "k-1", Duration.ofDays(30)));
        assertThat(desk.register.nextExpiry(desk.now)).contains(desk.now.plus(Duration.ofDays(30)));
        desk.now = desk.now.plus(Duration.ofDays(30)).minusNanos(1000);
        assertThat(desk.whose("k-1")).contains("x");
        desk.now = desk.now.plusNanos(1000);
        assertThat(desk.whose("k-1")).isEmpty();
        assertThat(desk.register.nextExpiry(desk.now)).isEmpty();
        assertThat(why(desk.put(one("x", "k-1")))).isEqualTo(Why.ALREADY_REVOKED);
    }

    @Test
    void allTokensAreRevokedTheConfiguredOneIncluded() {
        desk.put(token("helper", "k-1"));
        assertThat(changes(desk.put(all("helper")))).isEqualTo(2);
        assertThat(desk.whose("helper")).isEmpty();
        assertThat(desk.whose("k-1")).isEmpty();
        assertThat(why(desk.put(all("helper")))).isEqualTo(Why.ALREADY_REVOKED);
        assertThat(why(desk.put(one("helper", Token.CONFIGURED)))).isEqualTo(Why.ALREADY_REVOKED);
    }

    @Test
    void whatIsNotThereCannotBeRevoked() {
        assertThat(why(desk.put(all("x")))).isEqualTo(Why.UNKNOWN_IDENTITY);
        assertThat(why(desk.put(one("helper", "k-9")))).isEqualTo(Why.UNKNOWN_TOKEN);
        assertThat(why(desk.put(all("files")))).isEqualTo(Why.UNKNOWN_TOKEN);
    }

    @Test
    void rolesAreReplacedAndWhatIsTheSameIsNotRecorded() {
        assertThat(changes(desk.put(withRoles("helper", "k-1", "maintainer")))).isEqualTo(2);
        assertThat(desk.register.roles("helper")).containsExactly("maintainer");
        assertThat(changes(desk.put(withRoles("helper", "k-2", "maintainer")))).isEqualTo(1);
        desk.put(withRoles("helper", "k-3"));
        assertThat(desk.register.roles("helper")).isEmpty();
    }

    @Test
    void theLastAdminIsNotLockedOut() {
        assertThat(why(desk.put(all("alice")))).isEqualTo(Why.LAST_ADMIN);
        assertThat(why(desk.put(withRoles("alice", "k-1", "maintainer")))).isEqualTo(Why.LAST_ADMIN);
        desk.put(withRoles("bob", "k-2", Identity.ADMIN));
        desk.put(lasting("bob", "k-3", Duration.ofSeconds(5)));
        assertThat(changes(desk.put(all("alice")))).isEqualTo(1);
        assertThat(changes(desk.put("bob", one("bob", "k-3")))).isEqualTo(1);
        assertThat(why(desk.put("bob", one("bob", "k-2")))).isEqualTo(Why.LAST_ADMIN);
    }

    @Test
    void anAdminWhoseTokenWillExpireDoesNotStandInForOneWhoseDoesNot() {
        desk.put(passing("temp", "k-2"));
        assertThat(desk.register.isAdmin("temp")).isTrue();
        assertThat(why(desk.put(all("alice")))).isEqualTo(Why.LAST_ADMIN);
        assertThat(why(desk.put("temp", all("alice")))).isEqualTo(Why.LAST_ADMIN);
        assertThat(why(desk.put("temp", withRoles("alice", "k-3")))).isEqualTo(Why.LAST_ADMIN);
    }

    @Test
    void whereEveryAdminsTokenWillExpireOneOfThemIsEnough() {
        desk.put(passing("temp", "k-2"));
        desk.put(lasting("temp", "k-3", Duration.ofSeconds(9)));
        desk.register = Desk.configured(Desk.identity("alice")).after(desk.events);
        assertThat(changes(desk.put("temp", one("temp", "k-2")))).isEqualTo(1);
        assertThat(why(desk.put("temp", one("temp", "k-3")))).isEqualTo(Why.LAST_ADMIN);
    }

    @Test
    void anExpiredTokenMakesNoAdmin() {
        desk.put(withRoles("bob", "k-1", Identity.ADMIN));
        desk.put(one("bob", "k-1"));
        desk.put(lasting("bob", "k-2", Duration.ofSeconds(5)));
        desk.now = desk.now.plusSeconds(5);
        assertThat(why(desk.put(all("alice")))).isEqualTo(Why.LAST_ADMIN);
    }

    @Test
    void aTokenCanComeWithAPlace() {
        assertThat(changes(desk.put(placed("x", "k-1", "ops", Optional.of(CHAT)))))
                .isEqualTo(2);
        assertThat(desk.register.capabilities("ops", "x")).contains(CHAT);
        assertThat(desk.register.topicsOf("x")).containsExactly("ops");
        assertThat(changes(desk.put(placed("x", "k-2", "ops", Optional.empty()))))
                .isEqualTo(1);
        assertThat(why(desk.put(placed("x", "k-3", "lab", Optional.empty())))).isEqualTo(Why.BAD_CAPABILITY);
        assertThat(why(desk.put(placed("x", "k-3", "nowhere", Optional.of(CHAT)))))
                .isEqualTo(Why.NO_SUCH_TOPIC);
        assertThat(desk.whose("k-3")).isEmpty();
    }

    @Test
    void aNameUsedAgainStartsFromNothing() {
        desk.put(withRoles("x", "k-1", Identity.ADMIN));
        desk.put(new SetMember("ops", "x", CHAT));
        desk.put(new SetMember("lab", "x", CHAT));
        desk.put(all("x"));
        assertThat(why(desk.put(placed("x", "k-2", "ops", Optional.empty())))).isEqualTo(Why.BAD_CAPABILITY);
        assertThat(changes(desk.put(placed("x", "k-2", "ops", Optional.of(CHAT)))))
                .as("the token, the roles, two places left and one taken")
                .isEqualTo(5);
        assertThat(desk.register.roles("x")).isEmpty();
        assertThat(desk.register.topicsOf("x")).containsExactly("ops");
    }

    @Test
    void whoHasATokenThatIsGoodKeepsRolesAndPlaces() {
        desk.put(withRoles("x", "k-1", "maintainer"));
        desk.put(new SetMember("ops", "x", CHAT));
        assertThat(changes(desk.put(token("x", "k-2")))).isEqualTo(1);
        assertThat(desk.register.roles("x")).containsExactly("maintainer");
        assertThat(desk.register.topicsOf("x")).containsExactly("ops");
    }

    @Test
    void aConfiguredOneUsedAgainStartsFromTheConfiguredRoles() {
        desk.put(new SetRoles("helper", Set.of(Identity.ADMIN)));
        desk.put(new RemoveMember("ops", "helper"));
        desk.put(all("helper"));
        desk.put(token("helper", "k-1"));
        assertThat(desk.register.roles("helper")).isEmpty();
        assertThat(desk.register.topicsOf("helper"))
                .as("who was taken out stays out")
                .isEmpty();
    }

    @Test
    void whatWasSetBeforeTheFirstTokenStays() {
        desk.put(new SetRoles("files", Set.of("maintainer")));
        desk.put(new SetMember("ops", "files", CHAT));
        assertThat(changes(desk.put(token("files", "k-1")))).isEqualTo(1);
        assertThat(desk.register.roles("files")).containsExactly("maintainer");
        assertThat(desk.register.topicsOf("files")).containsExactly("ops");
    }

    @Test
    void whatIsLeftOfSomebodyConfiguredNoMoreIsNotFoundEither() {
        desk.put(new SetRoles("files", Set.of(Identity.ADMIN)));
        desk.put(new SetMember("ops", "files", CHAT));
        desk.register = Desk.configured(Desk.identity("alice", Identity.ADMIN)).after(desk.events);
        desk.put(token("files", "k-1"));
        assertThat(desk.register.roles("files")).isEmpty();
        assertThat(desk.register.topicsOf("files")).isEmpty();
    }

    @Test
    void rolesAreSetButNotThoseOfTheLastAdmin() {
        assertThat(changes(desk.put(new SetRoles("helper", Set.of("maintainer")))))
                .isEqualTo(1);
        assertThat(changes(desk.put(new SetRoles("helper", Set.of("maintainer")))))
                .isZero();
        assertThat(desk.register.roles("helper")).containsExactly("maintainer");
        assertThat(why(desk.put(new SetRoles("alice", Set.of())))).isEqualTo(Why.LAST_ADMIN);
        assertThat(why(desk.put(new SetRoles("x", Set.of())))).isEqualTo(Why.UNKNOWN_IDENTITY);
        desk.put(passing("temp", "k-1"));
        assertThat(why(desk.put(new SetRoles("alice", Set.of())))).isEqualTo(Why.LAST_ADMIN);
    }

    @Test
    void whatIsSettledLiesOverTheConfiguration() {
        desk.put(new SetMember("ops", "helper", CHAT));
        assertThat(desk.register.capabilities("ops", "helper")).contains(CHAT);
        desk.put(new RemoveMember("ops", "helper"));
        assertThat(desk.register.capabilities("ops", "helper")).isEmpty();
        assertThat(why(desk.put(new RemoveMember("ops", "helper")))).isEqualTo(Why.NOT_A_MEMBER);
        desk.put(new ResetMember("ops", "helper"));
        assertThat(desk.register.capabilities("ops", "helper")).contains(PROPOSE);
        assertThat(desk.register.settledAtRunTime("ops", "helper")).isFalse();
    }

    @Test
    void whatIsAsItWasWantedIsNotRecorded() {
        desk.put(new SetMember("ops", "alice", CHAT));
        assertThat(changes(desk.put(new SetMember("ops", "alice", CHAT)))).isZero();
        assertThat(changes(desk.put(new ResetMember("ops", "helper")))).isZero();
        assertThat(changes(desk.put(new SetMember("ops", "helper", PROPOSE))))
                .as("what the configuration says now may be settled, lest it change")
                .isEqualTo(1);
    }

    @Test
    void onlySomebodyIsAMemberOfSomething() {
        assertThat(why(desk.put(new SetMember("ops", "x", CHAT)))).isEqualTo(Why.UNKNOWN_IDENTITY);
        assertThat(why(desk.put(new SetMember("nowhere", "helper", CHAT)))).isEqualTo(Why.NO_SUCH_TOPIC);
        assertThat(why(desk.put(new RemoveMember("ops", "x")))).isEqualTo(Why.NOT_A_MEMBER);
        assertThat(why(desk.put(new ResetMember("ops", "x")))).isEqualTo(Why.UNKNOWN_IDENTITY);
    }

    @Test
    void nobodyHasMoreTokensThanAnybodyNeeds() {
        IntStream.range(0, Rulebook.MOST_TOKENS).forEach(i -> desk.put(token("x", "k-" + i)));
        assertThat(why(desk.put(token("x", "k-more")))).isEqualTo(Why.TOO_MANY);
        desk.put(one("x", "k-7"));
        assertThat(changes(desk.put(token("x", "k-more")))).isEqualTo(1);
    }

    @Test
    void thereAreNotMoreIdentitiesThanFit() {
        Identity[] many = IntStream.range(0, Rulebook.MOST_IDENTITIES - 1)
                .mapToObj(i -> Desk.without("i-" + i))
                .toArray(Identity[]::new);
        many[0] = Desk.identity("alice", Identity.ADMIN);
        desk.register = Desk.configured(many);
        assertThat(changes(desk.put(token("x", "k-1")))).isEqualTo(1);
        assertThat(why(desk.put(token("y", "k-2")))).isEqualTo(Why.TOO_MANY);
        assertThat(changes(desk.put(token("x", "k-3")))).isEqualTo(1);
    }
}
