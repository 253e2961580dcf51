package dev.gavel.web.console.sep;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Renders SEP documents on a separate thread with a time limit and caches the rendered views. A reader whose document
 * exceeds the time limit gets it as plain text. Thread-safe.
 */
final class SepDocumentViewCache {
    /** Real documents take a fraction of this. */
    private static final long TIME_LIMIT_MILLIS = 3_000;

    /** The number of documents that may wait to be rendered. */
    private static final int MAX_PENDING = 32;

    /** The size of the cache, in characters. */
    private static final long MAX_CACHED_CHARS = 8L * 1024 * 1024;

    private static final String SLOW_REASON =
            "This document takes long to render, so you see its source. Reload the page in a moment to see the"
                    + " rendered document.";

    private final ThreadPoolExecutor executor;
    private final Map<String, SepDocumentView> cache = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<String, CompletableFuture<SepDocumentView>> pending = new HashMap<>();
    private long cachedChars;

    SepDocumentViewCache() {
        this.executor = new ThreadPoolExecutor(
                1,
                1,
                5,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(MAX_PENDING),
                Thread.ofPlatform().daemon().name("gavel-sep-render").factory());
        // The executor needs no shutdown: its thread ends when there is nothing to render.
        executor.allowCoreThreadTimeOut(true);
    }

    /** Returns the rendered document, or its plain text if rendering takes too long. */
    CompletableFuture<SepDocumentView> render(String document) {
        CompletableFuture<SepDocumentView> drawn;
        synchronized (this) {
            SepDocumentView known = cache.get(document);
            if (known != null) {
                return CompletableFuture.completedFuture(known);
            }
            drawn = pending.get(document);
            if (drawn == null) {
                drawn = startRendering(document);
            }
        }
        // A copy, so that each caller has a separate time limit.
        return drawn.copy()
                .completeOnTimeout(
                        SepDocumentView.plain(document, SLOW_REASON), TIME_LIMIT_MILLIS, TimeUnit.MILLISECONDS);
    }

    private synchronized CompletableFuture<SepDocumentView> startRendering(String document) {
        CompletableFuture<SepDocumentView> drawn = new CompletableFuture<>();
        try {
            executor.execute(() -> {
                try {
                    drawn.complete(store(document, SepDocumentView.of(document)));
                } catch (RuntimeException | StackOverflowError e) {
                    drawn.complete(store(
                            document,
                            SepDocumentView.plain(
                                    document, "This document cannot be rendered, so you see its source.")));
                }
            });
            pending.put(document, drawn);
        } catch (RejectedExecutionException e) {
            // Not cached, so that the next request tries again.
            drawn.complete(SepDocumentView.plain(document, SLOW_REASON));
        }
        return drawn;
    }

    private synchronized SepDocumentView store(String document, SepDocumentView sepDocumentView) {
        pending.remove(document);
        cache.put(document, sepDocumentView);
        cachedChars += size(document, sepDocumentView);
        Iterator<Map.Entry<String, SepDocumentView>> eldest = cache.entrySet().iterator();
        while (cachedChars > MAX_CACHED_CHARS && eldest.hasNext()) {
            Map.Entry<String, SepDocumentView> eldestEntry = eldest.next();
            cachedChars -= size(eldestEntry.getKey(), eldestEntry.getValue());
            eldest.remove();
        }
        return sepDocumentView;
    }

    private static long size(String document, SepDocumentView sepDocumentView) {
        long drawn = sepDocumentView.html().map(html -> html.html().length()).orElse(0);
        return drawn + document.length() + sepDocumentView.text().length();
    }
}
