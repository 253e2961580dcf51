package dev.gavel.app.edge.console.seps;

import dev.gavel.console.sep.Paper;
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
 * Has documents drawn, by a thread of its own: a document is anybody's, and the worst take seconds. Who waits too long
 * is shown it as it was written. Those drawn lately are kept. Thread-safe.
 */
final class Papers {
    /** Real ones take a fraction of this. */
    private static final long PATIENCE_MILLIS = 3_000;

    /** So many may wait to be drawn. */
    private static final int MOST_WAITING = 32;

    /** How much is kept, in characters. */
    private static final long MOST_KEPT = 8L * 1024 * 1024;

    private static final String SLOW =
            "The document takes long to be laid out, and is shown as it was written. Load the"
                    + " page anew in a moment to see it as it should be.";

    private final ThreadPoolExecutor drawing;
    private final Map<String, Paper> kept = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<String, CompletableFuture<Paper>> coming = new HashMap<>();
    private long length;

    Papers() {
        this.drawing = new ThreadPoolExecutor(
                1,
                1,
                5,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(MOST_WAITING),
                Thread.ofPlatform().daemon().name("gavel-drawing").factory());
        // Nobody need end it: where nothing is drawn there is no thread.
        drawing.allowCoreThreadTimeOut(true);
    }

    /** A document, drawn where that does not take too long. */
    CompletableFuture<Paper> draw(String document) {
        CompletableFuture<Paper> drawn;
        synchronized (this) {
            Paper known = kept.get(document);
            if (known != null) {
                return CompletableFuture.completedFuture(known);
            }
            drawn = coming.get(document);
            if (drawn == null) {
                drawn = begin(document);
            }
        }
        // A copy: whoever comes later has patience of their own.
        return drawn.copy().completeOnTimeout(Paper.plain(document, SLOW), PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private synchronized CompletableFuture<Paper> begin(String document) {
        CompletableFuture<Paper> drawn = new CompletableFuture<>();
        try {
            drawing.execute(() -> {
                try {
                    drawn.complete(keep(document, Paper.of(document)));
                } catch (RuntimeException | StackOverflowError e) {
                    drawn.complete(keep(document, Paper.plain(document, "The document cannot be laid out.")));
                }
            });
            coming.put(document, drawn);
        } catch (RejectedExecutionException e) {
            // Not kept, and so begun again when it is next asked for.
            drawn.complete(Paper.plain(document, SLOW));
        }
        return drawn;
    }

    private synchronized Paper keep(String document, Paper paper) {
        coming.remove(document);
        kept.put(document, paper);
        length += size(document, paper);
        Iterator<Map.Entry<String, Paper>> eldest = kept.entrySet().iterator();
        while (length > MOST_KEPT && eldest.hasNext()) {
            Map.Entry<String, Paper> gone = eldest.next();
            length -= size(gone.getKey(), gone.getValue());
            eldest.remove();
        }
        return paper;
    }

    private static long size(String document, Paper paper) {
        long drawn = paper.html().map(html -> html.html().length()).orElse(0);
        return drawn + document.length() + paper.text().length();
    }
}
