package dev.gavel.app.edge.console.seps;

import dev.gavel.console.sep.Paper;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Has documents drawn, by a thread of its own: a document is anybody's, and one that takes long may hold up others that
 * are to be drawn, but no event loop. Those drawn lately are kept. Thread-safe.
 */
final class Papers {
    /** So many may wait to be drawn; then they are shown as they were written. */
    private static final int MOST_WAITING = 32;

    /** How much is kept, in characters of documents; drawn they are a few times as long. */
    private static final long MOST_KEPT = 2L * 1024 * 1024;

    private static final String BUSY =
            "Too much is being drawn at the moment, so the document is shown as it was written."
                    + " Load the page anew in a moment.";

    private final ThreadPoolExecutor drawing;
    private final LinkedHashMap<String, Paper> kept = new LinkedHashMap<>(16, 0.75f, true);
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

    /** A document, drawn when it comes to its turn. */
    CompletableFuture<Paper> draw(String document) {
        Optional<Paper> known = known(document);
        if (known.isPresent()) {
            return CompletableFuture.completedFuture(known.get());
        }
        try {
            return CompletableFuture.supplyAsync(
                    () -> known(document).orElseGet(() -> keep(document, Paper.of(document))), drawing);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.completedFuture(Paper.plain(document, BUSY));
        }
    }

    private synchronized Optional<Paper> known(String document) {
        return Optional.ofNullable(kept.get(document));
    }

    private synchronized Paper keep(String document, Paper paper) {
        if (kept.put(document, paper) == null) {
            length += document.length();
        }
        var eldest = kept.entrySet().iterator();
        while (length > MOST_KEPT) {
            Map.Entry<String, Paper> gone = eldest.next();
            length -= gone.getKey().length();
            eldest.remove();
        }
        return paper;
    }
}
