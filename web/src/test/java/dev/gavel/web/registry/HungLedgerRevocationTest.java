package dev.gavel.web.registry;

import static dev.gavel.web.registry.TestRegistry.configured;
import static dev.gavel.web.registry.TestRegistry.identity;
import static dev.gavel.web.registry.TestRegistry.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.gateway.member.RevocableAccessGrant;
import dev.gavel.ledger.sqlite.SqliteLedger;
import dev.gavel.ledger.sqlite.SqliteOpenResult;
import dev.gavel.ledger.sqlite.SqliteOptions;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.ledger.writer.TaskDecision;
import dev.gavel.ledger.writer.WriterOptions;
import dev.gavel.web.identity.AuthenticationResult.Authenticated;
import dev.gavel.web.identity.TokenAuthenticator;
import dev.gavel.web.identity.TokenHash;
import dev.gavel.web.registry.RegistryCommand.RevokeTokens;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that revocations take effect while the ledger neither stores nor refuses anything. */
@Timeout(60)
@SuppressWarnings("NullAway.Init") // created before each test
class HungLedgerRevocationTest {
    private static final InstantSource CLOCK = InstantSource.system();

    @TempDir
    private Path data;

    private final ExecutorService disk = Executors.newSingleThreadExecutor();
    private final CountDownLatch ledgerAnswers = new CountDownLatch(1);
    private final CountDownLatch diskAnswers = new CountDownLatch(1);
    private final TokenAuthenticator tokenAuthenticator = new TokenAuthenticator(CLOCK);
    private SqliteLedger ledger;
    private LedgerWriter writer;
    private IdentityRegistry identityRegistry;

    @BeforeEach
    void open() throws IOException {
        ledger = ((SqliteOpenResult.Opened) SqliteLedger.open(data.resolve("ledger.db"), SqliteOptions.DEFAULT))
                .ledger();
        writer = new LedgerWriter(ledger, CLOCK, WriterOptions.DEFAULT);
        identityRegistry = new IdentityRegistry(
                configured(identity("alice", "admin"), identity("bob"), identity("helper")),
                Optional.of(new RegistryLedger(ledger, writer)),
                UnwrittenRevocations.inDirectory(data, disk),
                tokenAuthenticator,
                topic -> Optional.empty(),
                CLOCK);
    }

    @AfterEach
    void close() {
        ledgerAnswers.countDown();
        diskAnswers.countDown();
        identityRegistry.close();
        writer.close();
        ledger.close();
    }

    /** Occupies the ledger's writer until {@link #ledgerAnswers}, as a disk that hangs does. */
    private void hangLedger() throws InterruptedException {
        CountDownLatch hangs = new CountDownLatch(1);
        writer.submit(
                "ops",
                context -> {
                    hangs.countDown();
                    awaitUninterruptibly(ledgerAnswers);
                    return TaskDecision.withoutEvents("hung");
                },
                result -> {});
        hangs.await();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private CompletableFuture<RegistryCommandResult> submit(RegistryCommand command) {
        return identityRegistry
                .submit("alice", new RevocableAccessGrant(), command)
                .toCompletableFuture();
    }

    private CompletableFuture<RegistryCommandResult> revoke(String name) {
        return submit(new RevokeTokens(name, Optional.empty()));
    }

    private boolean accepts(String token) {
        return tokenAuthenticator.authenticateHash(TokenHash.of(token)) instanceof Authenticated;
    }

    private static void assertNotDurable(RegistryCommandResult result, boolean survivesRestart) {
        assertThat(result)
                .isInstanceOfSatisfying(
                        RegistryCommandResult.NotDurable.class,
                        notDurable -> assertThat(notDurable.survivesRestart()).isEqualTo(survivesRestart));
    }

    private List<String> subjectsOfRevocations() {
        return new RegistryLedger(ledger, writer)
                .changesAfter(0).stream()
                        .filter(event -> event.type().contains("revoked"))
                        .map(event -> event.subject())
                        .toList();
    }

    @Test
    void revocationsAreInEffectBeforeTheLedgerAnswersAndAreStoredOnce() throws Exception {
        hangLedger();
        CompletableFuture<RegistryCommandResult> helper = revoke("helper");
        CompletableFuture<RegistryCommandResult> bob = revoke("bob");
        assertNotDurable(helper.join(), true);
        assertNotDurable(bob.join(), true);
        assertThat(accepts("helper")).isFalse();
        assertThat(accepts("bob")).isFalse();
        assertThat(accepts("alice")).isTrue();

        ledgerAnswers.countDown();
        await().until(() -> !Files.exists(data.resolve("unwritten-revocations")));
        assertThat(submit(token("helper", "k-new")).join()).isInstanceOf(RegistryCommandResult.Done.class);
        assertThat(subjectsOfRevocations()).containsExactly("helper", "bob");
        assertThat(accepts("helper")).isFalse();
        assertThat(accepts("k-new")).isTrue();
    }

    @Test
    void aRevocationIsInEffectAlthoughTheDataDirectoryHangsToo() throws Exception {
        hangLedger();
        disk.execute(() -> awaitUninterruptibly(diskAnswers));
        assertNotDurable(revoke("helper").join(), false);
        assertThat(accepts("helper")).isFalse();
        assertNotDurable(revoke("bob").join(), false);
        assertThat(accepts("bob")).isFalse();
    }

    @Test
    void aRevocationIsInEffectAlthoughTooManyChangesWait() throws Exception {
        hangLedger();
        List<CompletableFuture<RegistryCommandResult>> waiting = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            waiting.add(submit(token("bob", "k-" + i)));
        }
        assertThat(submit(token("bob", "k-more")).join()).isInstanceOf(RegistryCommandResult.Unavailable.class);
        assertNotDurable(revoke("helper").join(), true);
        assertThat(accepts("helper")).isFalse();
        ledgerAnswers.countDown();
        waiting.forEach(CompletableFuture::join);
        await().until(() -> subjectsOfRevocations().equals(List.of("helper")));
    }

    @Test
    void aRevocationAlsoEndsTheTokenThatWasCreatedBeforeIt() throws Exception {
        hangLedger();
        CompletableFuture<RegistryCommandResult> created = submit(token("helper", "k-1"));
        assertNotDurable(revoke("helper").join(), true);
        ledgerAnswers.countDown();
        assertThat(created.join()).isInstanceOf(RegistryCommandResult.Done.class);
        await().until(() -> subjectsOfRevocations().size() == 2);
        assertThat(accepts("k-1")).isFalse();
        assertThat(accepts("helper")).isFalse();
    }
}
