package dev.gavel.sep.service;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The thread pools of the SEP service: for quick operations, for slow ones, and for completing ledger writes. What
 * takes long is done by one alone, and answers to what is written by somebody else again: so nobody waits behind a long
 * question who has a short one, or is owed an answer. Thread-safe.
 *
 * @param quick for what is answered from memory or a page of the ledger
 * @param slow for what looks at everything, or at a whole document
 * @param completion for telling people what was kept
 */
public record ExecutorPools(Executor quick, Executor slow, Executor completion) {
    /** One for everything, as tests have it. */
    public static ExecutorPools shared(Executor one) {
        return new ExecutorPools(one, one, one);
    }

    /** Threads of their own, which keep no process from ending. */
    public static ExecutorPools start() {
        return new ExecutorPools(
                threads("gavel-desk-", 2), threads("gavel-desk-slow-", 1), threads("gavel-desk-answer-", 2));
    }

    private static ExecutorService threads(String name, int count) {
        return Executors.newFixedThreadPool(
                count, Thread.ofPlatform().daemon().name(name, 0).factory());
    }

    /** Takes on nothing more; what was begun is finished. */
    public void shutdown() {
        List.of(quick, slow, completion).forEach(each -> {
            if (each instanceof ExecutorService service) {
                service.shutdown();
            }
        });
    }

    /** Who does a verb. */
    Executor executorFor(SepOperation sepOperation) {
        return switch (sepOperation) {
            case STATS, LINT, SIMILAR, SWEEP, IMPORT -> slow;
            default -> quick;
        };
    }
}
