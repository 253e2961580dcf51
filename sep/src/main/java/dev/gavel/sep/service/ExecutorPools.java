package dev.gavel.sep.service;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The thread pools of the SEP service: for quick operations, for slow ones, and for completing ledger writes. Slow
 * operations share a single thread and results of writes have a separate pool, so that neither quick operations nor
 * results wait behind slow ones. Thread-safe.
 *
 * @param quick for operations that need only memory or one page of the ledger
 * @param slow for operations that read all SEPs or parse a whole document
 * @param completion for returning the results of ledger writes to callers
 */
public record ExecutorPools(Executor quick, Executor slow, Executor completion) {
    /** Returns pools that all use one executor, for tests. */
    public static ExecutorPools shared(Executor one) {
        return new ExecutorPools(one, one, one);
    }

    /** Starts pools of daemon threads. */
    public static ExecutorPools start() {
        return new ExecutorPools(
                threads("gavel-sep-", 2), threads("gavel-sep-slow-", 1), threads("gavel-sep-answer-", 2));
    }

    private static ExecutorService threads(String name, int count) {
        return Executors.newFixedThreadPool(
                count, Thread.ofPlatform().daemon().name(name, 0).factory());
    }

    /** Rejects new tasks. Tasks that were accepted are finished. */
    public void shutdown() {
        List.of(quick, slow, completion).forEach(each -> {
            if (each instanceof ExecutorService service) {
                service.shutdown();
            }
        });
    }

    /** Returns the pool for an operation. */
    Executor executorFor(SepOperation sepOperation) {
        return switch (sepOperation) {
            case STATS, LINT, SIMILAR, SWEEP, IMPORT -> slow;
            default -> quick;
        };
    }
}
