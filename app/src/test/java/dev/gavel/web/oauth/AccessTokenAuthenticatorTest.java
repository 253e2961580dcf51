package dev.gavel.web.oauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.gavel.gateway.member.RevocableAccessGrant;
import dev.gavel.mcpx.json.Json;
import dev.gavel.web.identity.Identity;
import dev.gavel.web.identity.IdentityLookupResult;
import dev.gavel.web.oauth.AccessTokenResult.Accepted;
import dev.gavel.web.oauth.AccessTokenResult.IdentityRefused;
import dev.gavel.web.oauth.AccessTokenResult.InvalidToken;
import dev.gavel.web.oauth.AccessTokenResult.Unavailable;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which access tokens authenticate an identity, and that all others are refused. */
final class AccessTokenAuthenticatorTest {
    private static final String RESOURCE = "http://127.0.0.1:4285/mcp/ops";

    private final TestIssuer issuer = new TestIssuer();
    private final Set<String> refusedIdentities = ConcurrentHashMap.newKeySet();
    private volatile Duration elapsed = Duration.ZERO;
    private AccessTokenAuthenticator authenticator = authenticator(issuer, Optional.empty(), "sub");

    AccessTokenAuthenticatorTest() throws Exception {}

    @AfterEach
    void close() {
        authenticator.close();
        issuer.close();
    }

    private AccessTokenAuthenticator authenticator(TestIssuer of, Optional<String> audience, String claim) {
        return new AccessTokenAuthenticator(
                List.of(new TrustedIssuer(of.url(), audience, claim)),
                this::lookup,
                () -> Instant.now().plus(elapsed));
    }

    private IdentityLookupResult lookup(String name) {
        return refusedIdentities.contains(name)
                ? new IdentityLookupResult.Refused("there is no " + name)
                : new IdentityLookupResult.Found(new Identity(name, name, Set.of(), List.of(), Optional.empty()));
    }

    private void use(AccessTokenAuthenticator other) {
        authenticator.close();
        authenticator = other;
    }

    private AccessTokenResult result(String token) {
        return result(token, Optional.of(RESOURCE));
    }

    private AccessTokenResult result(String token, Optional<String> resource) {
        return authenticator
                .authenticate(token, resource)
                .toCompletableFuture()
                .orTimeout(20, TimeUnit.SECONDS)
                .join();
    }

    private RevocableAccessGrant accept(String token) {
        AccessTokenResult result = result(token);
        assertThat(result).isInstanceOf(Accepted.class);
        return ((Accepted) result).caller().revocableAccessGrant();
    }

    private String refuse(String token) {
        AccessTokenResult result = result(token);
        assertThat(result).isInstanceOf(InvalidToken.class);
        return ((InvalidToken) result).reason();
    }

    private void assertUnavailable(String token) {
        assertThat(result(token)).isInstanceOf(Unavailable.class);
    }

    private String token() {
        return issuer.token("helper", RESOURCE);
    }

    /** The claims of a valid token. */
    private JWTClaimsSet claims() {
        return new JWTClaimsSet.Builder()
                .issuer(issuer.url())
                .subject("helper")
                .audience(RESOURCE)
                .expirationTime(in(Duration.ofMinutes(10)))
                .build();
    }

    private static Date in(Duration time) {
        return Date.from(Instant.now().plus(time));
    }

    private long fetches() {
        return issuer.requests.stream().filter(path -> path.endsWith("/keys")).count();
    }

    @Test
    void aTokenForThisResourceAuthenticatesTheIdentityThatItNames() {
        AccessTokenResult result = result(token());
        assertThat(result).isInstanceOf(Accepted.class);
        assertThat(((Accepted) result).caller().identity().id()).isEqualTo("helper");
    }

    @Test
    void aTokenSignedWithRsaIsAccepted() throws Exception {
        RSAKey rsa = new RSAKeyGenerator(2048).keyID("rsa").generate();
        issuer.published.add(rsa.toPublicJWK());
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("rsa").build(), claims());
        token.sign(new RSASSASigner(rsa));
        accept(token.serialize());
    }

    @Test
    void requestsWithTheSameTokenHaveTheSameGrant() {
        String token = token();
        assertThat(accept(token)).isSameAs(accept(token));
        assertThat(accept(token())).isNotSameAs(accept(token));
        assertThat(fetches()).isEqualTo(1);
    }

    @Test
    void oneOfSeveralAudiencesSuffices() {
        accept(issuer.token(claims -> claims.subject("helper")
                .audience(List.of("https://example.org", RESOURCE))
                .expirationTime(in(Duration.ofMinutes(1)))));
    }

    @Test
    void aTokenForAnotherAudienceIsRefused() {
        assertThat(refuse(issuer.token("helper", "http://127.0.0.1:4285/mcp/other")))
                .contains("audience", RESOURCE);
        assertThat(refuse(issuer.token(claims -> claims.subject("helper").expirationTime(in(Duration.ofMinutes(1))))))
                .contains("audience");
    }

    @Test
    void aVerifiedTokenIsStillForItsResourceOnly() {
        String token = token();
        accept(token);
        assertThat(result(token, Optional.of("http://127.0.0.1:4285/mcp/other")))
                .isInstanceOf(InvalidToken.class);
    }

    @Test
    void aConfiguredAudienceReplacesTheResource() {
        use(authenticator(issuer, Optional.of("gavel"), "sub"));
        accept(issuer.token("helper", "gavel"));
        assertThat(refuse(token())).contains("'gavel'");
    }

    @Test
    void withoutACertainResourceNoTokenIsAccepted() {
        assertThat(result(token(), Optional.empty())).isInstanceOf(InvalidToken.class);
    }

    @Test
    void anotherClaimCanNameTheIdentity() {
        use(authenticator(issuer, Optional.empty(), "client_id"));
        AccessTokenResult result = result(issuer.token(claims -> claims.subject("0815")
                .claim("client_id", "helper")
                .audience(RESOURCE)
                .expirationTime(in(Duration.ofMinutes(1)))));
        assertThat(((Accepted) result).caller().identity().id()).isEqualTo("helper");
        assertThat(refuse(token())).contains("'client_id'");
    }

    @Test
    void aTokenOfAnUnknownIssuerIsRefusedWithoutARequestToIt() throws Exception {
        try (TestIssuer other = new TestIssuer()) {
            assertThat(refuse(other.token("helper", RESOURCE))).contains("'issuers'");
            assertThat(other.requests).isEmpty();
        }
    }

    @Test
    void aTokenThatAnotherIssuerSignedInTheNameOfThisOneIsRefused() throws Exception {
        try (TestIssuer other = new TestIssuer()) {
            String forged = other.token(claims -> claims.issuer(issuer.url())
                    .subject("helper")
                    .audience(RESOURCE)
                    .expirationTime(in(Duration.ofMinutes(1))));
            assertThat(refuse(forged)).contains("signature");
        }
    }

    @Test
    void aChangedTokenIsRefused() {
        String[] parts = token().split("\\.", -1);
        String[] other = issuer.token("alice", RESOURCE).split("\\.", -1);
        assertThat(refuse(parts[0] + "." + other[1] + "." + parts[2])).contains("signature");
    }

    @Test
    void aTokenWithoutASignatureIsRefused() {
        refuse(new PlainJWT(claims()).serialize());
        refuse(token().replaceFirst("\\.[^.]*$", "."));
    }

    @Test
    void aPublicKeyIsNoSecretOfASignature() throws Exception {
        RSAKey rsa = new RSAKeyGenerator(2048).keyID("rsa").generate();
        issuer.published.add(rsa.toPublicJWK());
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("rsa").build(), claims());
        token.sign(new MACSigner(rsa.toRSAPublicKey().getEncoded()));
        assertThat(refuse(token.serialize())).contains("algorithm");
    }

    @Test
    void aTokenOfAnotherTypeIsRefused() {
        assertThat(refuse(issuer.sign(issuer.header().type(new JOSEObjectType("logout+jwt")), claims())))
                .contains("type");
    }

    @ParameterizedTest
    @ValueSource(strings = {"at+jwt", "AT+JWT", "application/at+jwt", "JWT", "jwt"})
    void theTypesOfAccessTokensAreAccepted(String type) {
        accept(issuer.sign(issuer.header().type(new JOSEObjectType(type)), claims()));
    }

    @Test
    void aTokenWithoutATypeIsAccepted() {
        accept(issuer.sign(issuer.header().type(null), claims()));
    }

    @Test
    void aTokenThatIsBoundToAKeyIsRefused() {
        assertThat(refuse(issuer.sign(
                        issuer.header(),
                        new JWTClaimsSet.Builder(claims())
                                .claim("cnf", Map.of("jkt", "abc"))
                                .build())))
                .contains("cnf");
    }

    @Test
    void aKeyInTheHeaderOfTheTokenIsNotUsed() {
        ECKey own = TestIssuer.newKey("own");
        String published = issuer.key.getKeyID();
        issuer.key = own;
        assertThat(refuse(issuer.sign(issuer.header().jwk(own.toPublicJWK()).keyID(published), claims())))
                .contains("signature");
    }

    @Test
    void anExpiredTokenIsRefusedAfterTheToleranceForClocks() {
        accept(issuer.token("helper", RESOURCE, Instant.now().minusSeconds(50)));
        assertThat(refuse(issuer.token("helper", RESOURCE, Instant.now().minusSeconds(61))))
                .contains("expired");
    }

    @Test
    void aTokenThatDoesNotExpireIsRefused() {
        assertThat(refuse(issuer.token(claims -> claims.subject("helper").audience(RESOURCE))))
                .contains("'exp'");
    }

    @Test
    void aTokenThatIsNotValidYetIsRefused() {
        TokenFactory from = time -> issuer.token(claims -> claims.subject("helper")
                .audience(RESOURCE)
                .notBeforeTime(in(time))
                .expirationTime(in(Duration.ofHours(1))));
        assertThat(refuse(from.token(Duration.ofSeconds(90)))).contains("not valid yet");
        accept(from.token(Duration.ofSeconds(30)));
    }

    /** Creates a token that is valid from a time on. */
    private interface TokenFactory {
        String token(Duration time);
    }

    @Test
    void aTokenThatNamesNoIdentityIsRefused() {
        assertThat(refuse(issuer.token(claims -> claims.audience(RESOURCE).expirationTime(in(Duration.ofMinutes(1))))))
                .contains("'sub'");
    }

    @Test
    void aTokenThatIsTooLongIsRefusedBeforeItIsRead() {
        String token = issuer.token(claims -> claims.subject("helper")
                .audience(RESOURCE)
                .claim("padding", "x".repeat(AccessTokenAuthenticator.MAX_TOKEN_LENGTH))
                .expirationTime(in(Duration.ofMinutes(1))));
        assertThat(refuse(token)).contains("longer than");
        assertThat(issuer.requests).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.b.c", "eyJhbGciOiJFUzI1NiJ9.e30.AAAA", "eyJhbGciOiJFUzI1NiJ9.bm8.AAAA", "..", "", "x"})
    void textThatIsNoTokenIsRefused(String text) {
        refuse(text);
        assertThat(issuer.requests).isEmpty();
    }

    @Test
    void aRotatedKeyIsFetchedWhenATokenNamesIt() {
        String before = token();
        accept(before);
        issuer.rotateTo(TestIssuer.newKey("second"));
        elapsed = IssuerKeys.MIN_INTERVAL.plusSeconds(1);
        accept(token());
        assertThat(fetches()).isEqualTo(2);
    }

    @Test
    void tokensThatNameUnknownKeysDoNotCauseManyRequests() {
        accept(token());
        issuer.key = TestIssuer.newKey("never published");
        elapsed = IssuerKeys.MIN_INTERVAL.plusSeconds(1);
        IntStream.range(0, 20)
                .forEach(number -> assertThat(refuse(issuer.token("helper-" + number, RESOURCE)))
                        .contains("does not publish"));
        assertThat(fetches()).isEqualTo(2);
    }

    @Test
    void aTokenWhoseKeyTheIssuerRemovedIsRefusedAndItsGrantRevoked() {
        String token = token();
        RevocableAccessGrant grant = accept(token);
        issuer.rotateTo(TestIssuer.newKey("second"));
        elapsed = AccessTokenAuthenticator.VERIFY_AGAIN_AFTER.plusSeconds(1);
        assertThat(refuse(token)).contains("does not publish");
        assertThat(grant.isValid()).isFalse();
    }

    @Test
    void manyRequestsAtTheStartFetchTheKeysOnce() {
        List<CompletableFuture<AccessTokenResult>> results = IntStream.range(0, 50)
                .mapToObj(number -> authenticator
                        .authenticate(issuer.token("helper-" + number, RESOURCE), Optional.of(RESOURCE))
                        .toCompletableFuture())
                .toList();
        assertThat(results).allSatisfy(result -> assertThat(result.join()).isInstanceOf(Accepted.class));
        assertThat(fetches()).isEqualTo(1);
    }

    @Test
    void whileTheIssuerIsDownNoTokenIsRefusedAsInvalid() {
        issuer.down = true;
        assertUnavailable(token());
        long before = issuer.requests.size();
        assertUnavailable(token());
        assertThat(issuer.requests).hasSize((int) before);

        issuer.down = false;
        elapsed = IssuerKeys.MIN_INTERVAL.plusSeconds(1);
        accept(token());
    }

    @Test
    void anIssuerThatDoesNotListenIsUnavailable() {
        String token = token();
        issuer.close();
        assertUnavailable(token);
    }

    @Test
    void knownKeysAreUsedForAnHourWhileTheIssuerIsDown() {
        accept(token());
        issuer.down = true;
        elapsed = Duration.ofMinutes(30);
        accept(issuer.token("helper", RESOURCE, Instant.now().plus(Duration.ofHours(3))));
        elapsed = Duration.ofMinutes(61);
        assertUnavailable(issuer.token("helper", RESOURCE, Instant.now().plus(Duration.ofHours(2))));
    }

    @Test
    void aTokenWithAnUnknownKeyIsNotRefusedWhileTheIssuerIsDown() {
        accept(token());
        issuer.down = true;
        issuer.rotateTo(TestIssuer.newKey("second"));
        elapsed = IssuerKeys.MIN_INTERVAL.plusSeconds(1);
        assertUnavailable(token());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"issuer\":\"https://other.example.org\",\"jwks_uri\":\"%1$s/keys\"}",
                "{\"issuer\":\"%1$s/\",\"jwks_uri\":\"%1$s/keys\"}",
                "{\"jwks_uri\":\"%1$s/keys\"}",
                "{\"issuer\":\"%1$s\"}",
                "{\"issuer\":\"%1$s\",\"jwks_uri\":\"http://keys.example.org/keys\"}",
                "{\"issuer\":\"%1$s\",\"jwks_uri\":\"file:///etc/passwd\"}",
                "{\"issuer\":\"%1$s\",\"jwks_uri\":\"%1$s/none\"}",
                "{\"issuer\":\"%1$s\",\"jwks_uri\":\"%1$s/.well-known/oauth-authorization-server\"}",
                "[]",
                "no JSON"
            })
    void metadataThatIsNotThatOfTheIssuerIsNotUsed(String metadata) {
        issuer.metadata = metadata;
        assertUnavailable(token());
        assertThat(fetches()).isZero();
    }

    @Test
    void anIssuerElsewhereCannotNameAKeyAddressOnThisMachine() throws Exception {
        Json local = Json.object(Map.of("jwks_uri", Json.ofText("http://127.0.0.1:4285/keys")));
        assertThatThrownBy(() -> IssuerKeyClient.keyAddress(local, URI.create("https://login.example.org/metadata")))
                .isInstanceOf(IssuerUnavailableException.class);
        assertThat(IssuerKeyClient.keyAddress(local, URI.create("http://localhost:8080/metadata")))
                .hasHost("127.0.0.1");
    }

    @Test
    void metadataThatIsTooLongIsNotUsed() {
        issuer.metadata = TestIssuer.METADATA + " ".repeat(IssuerKeyClient.MAX_DOCUMENT_BYTES);
        assertUnavailable(token());
    }

    @Test
    void aRedirectIsNotFollowed() throws Exception {
        try (TestIssuer other = new TestIssuer()) {
            issuer.redirect = other.url() + "/.well-known/oauth-authorization-server";
            assertUnavailable(token());
            assertThat(other.requests).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/.well-known/oauth-authorization-server/realms/one",
                "/.well-known/openid-configuration/realms/one",
                "/realms/one/.well-known/openid-configuration"
            })
    void metadataIsFoundWhereIssuersWithAPathServeIt(String path) throws Exception {
        try (TestIssuer realm = new TestIssuer("/realms/one")) {
            realm.metadataPath = path;
            use(authenticator(realm, Optional.empty(), "sub"));
            accept(realm.token("helper", RESOURCE));
        }
    }

    @Test
    void anIdentityThatCannotUseAccessTokensIsRefusedWithTheReason() {
        refusedIdentities.add("stranger");
        assertThat(result(issuer.token("stranger", RESOURCE))).isEqualTo(new IdentityRefused("there is no stranger"));
    }

    @Test
    void grantsOfAnIdentityAreRevokedWhenItLosesItsAccess() {
        String token = token();
        RevocableAccessGrant grant = accept(token);
        RevocableAccessGrant other = accept(issuer.token("other", RESOURCE));
        AtomicBoolean told = new AtomicBoolean();
        grant.onRevoke(() -> told.set(true));
        refusedIdentities.add("helper");

        authenticator.onIdentitiesChanged();

        assertThat(told).isTrue();
        assertThat(other.isValid()).isTrue();
        assertThat(result(token)).isInstanceOf(IdentityRefused.class);
        refusedIdentities.clear();
        assertThat(accept(token)).isNotSameAs(grant);
    }

    @Test
    void aGrantIsRevokedWhenItsTokenExpires() {
        String token = issuer.token("helper", RESOURCE, Instant.now().minusSeconds(57));
        RevocableAccessGrant grant = accept(token);
        assertThat(grant.isValid()).isTrue();
        await().atMost(Duration.ofSeconds(15)).until(() -> !grant.isValid());
        assertThat(refuse(token)).contains("expired");
    }
}
