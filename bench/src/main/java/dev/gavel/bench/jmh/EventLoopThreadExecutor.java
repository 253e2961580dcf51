package dev.gavel.bench.jmh;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Executor that makes JMH run benchmarks on Netty threads, so that they allocate buffers as Netty's event loops do.
 * Thread-safe.
 */
public final class EventLoopThreadExecutor extends ThreadPoolExecutor {
    /** The JVM options that make JMH use this executor. */
    public static final List<String> OPTIONS =
            List.of("-Djmh.executor=CUSTOM", "-Djmh.executor.class=" + EventLoopThreadExecutor.class.getName());

    /** The constructor that JMH calls by reflection. */
    public EventLoopThreadExecutor(int threads, String name) {
        super(threads, threads, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), new DefaultThreadFactory(name));
    }
}
