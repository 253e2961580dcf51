package dev.gavel.sep.service;

import dev.gavel.ledger.executor.FairExecutor;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The thread pools of the SEP service: for quick operations, for slow ones, and for completing ledger writes. They are
 * separate, so that neither quick operations nor results of writes wait behind slow operations. In the first two pools,
 * identities take turns. Thread-safe.
 *
 * @param quick for operations that need only memory or one page of the ledger
 * @param slow for operations that read all SEPs or parse a whole document
 * @param completion for returning the results of ledger writes to callers
 */
public record ExecutorPools(FairExecutor quick, FairExecutor slow, Executor completion) {
    /** How many operations of one identity may be pending in a pool: those of some open console pages. */
    static final int MAX_PENDING = 100;

    /** Returns pools without limits that all use one executor, for tests. */
    public static ExecutorPools shared(Executor one) {
        return new ExecutorPools(FairExecutor.unlimited(one), FairExecutor.unlimited(one), one);
    }

    /** Starts pools of daemon threads. */
    public static ExecutorPools start() {
        return new ExecutorPools(
                FairExecutor.start("gavel-sep-", 2, MAX_PENDING),
                FairExecutor.start("gavel-sep-slow-", 2, MAX_PENDING),
                Executors.newFixedThreadPool(
                        2,
                        Thread.ofPlatform()
                                .daemon()
                                .name("gavel-sep-answer-", 0)
                                .factory()));
    }

    /** Rejects new tasks. Tasks that were accepted are finished. */
    public void shutdown() {
        quick.shutdown();
        slow.shutdown();
        if (completion instanceof ExecutorService service) {
            service.shutdown();
        }
    }

    /** Returns the pool for an operation. */
    FairExecutor executorFor(SepOperation sepOperation) {
        return switch (sepOperation) {
            case STATS, LINT, SIMILAR, DIFF, SWEEP, IMPORT -> slow;
            default -> quick;
        };
    }
}
