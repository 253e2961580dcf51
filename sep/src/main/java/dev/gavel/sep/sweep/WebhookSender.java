package dev.gavel.sep.sweep;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells webhooks what there is to tell, each at its own pace and in order, at least once: what was posted is noted
 * after it was taken, so that after a crash at most the last is told again. It holds no more than a page of what waits.
 * Thread-safe.
 */
public final class WebhookSender implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookSender.class);
    private static final int PAGE = 100;

    private final Outbox outbox;
    private final Told told;
    private final Patience patience;
    private final BooleanSupplier ours;
    private final HttpClient http;
    private final List<Line> lines = new ArrayList<>();

    /**
     * One that is yet to begin.
     *
     * @param ours whether it is still this process's to tell them: asked right before each is told
     */
    public WebhookSender(List<Webhook> hooks, Outbox outbox, Told told, Patience patience, BooleanSupplier ours) {
        this.ours = ours;
        this.outbox = outbox;
        this.told = told;
        this.patience = patience;
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(patience.answer())
                .build();
        hooks.stream().distinct().map(Line::new).forEach(lines::add);
    }

    /** Begins, with what was not told before. */
    public void start() {
        lines.forEach(line -> line.thread.start());
    }

    /** There may be something new to tell. */
    public void wake() {
        for (Line line : lines) {
            if (line.news.availablePermits() == 0) {
                line.news.release();
            }
        }
    }

    /** Ends at once; what was not told is told after the next start. */
    @Override
    public void close() {
        lines.forEach(line -> line.thread.interrupt());
        http.shutdownNow();
    }

    /** One webhook and what it was told. */
    private final class Line {
        private final Webhook hook;
        private final Thread thread;
        private final Semaphore news = new Semaphore(1);

        /** How far it was told or there was nothing to tell; nothing is known before it was asked for. */
        private long upTo = -1;

        Line(Webhook hook) {
            this.hook = hook;
            this.thread = Thread.ofVirtual().name("webhook " + hook.host()).unstarted(this::run);
        }

        private void run() {
            int failed = 0;
            while (!Thread.currentThread().isInterrupted()) {
                try {
                    if (failed > 0) {
                        patience.waiting().waitFor(patience.after(failed, Optional.empty()));
                    } else {
                        news.acquire();
                        news.drainPermits();
                    }
                    catchUp();
                    failed = 0;
                } catch (InterruptedException e) {
                    return;
                } catch (RuntimeException e) {
                    // The ledger may be away for a while; what is to be told is still there afterwards.
                    failed++;
                    LOG.warn("What to tell the {} could not be read or noted; it is tried again.", hook, e);
                }
            }
        }

        private void catchUp() throws InterruptedException {
            if (upTo < 0) {
                upTo = told.upTo(hook.id());
            }
            for (List<Outbox.Letter> page = outbox.after(upTo, PAGE);
                    !page.isEmpty();
                    page = outbox.after(upTo, PAGE)) {
                boolean noted = false;
                for (Outbox.Letter letter : page) {
                    Optional<Notice> notice = letter.notice();
                    noted = notice.isPresent();
                    if (notice.isPresent()) {
                        tell(letter.seq(), notice.get());
                        told.told(hook.id(), letter.seq());
                    }
                    upTo = letter.seq();
                }
                // What nobody is told of is not worth a note each: it is only read again.
                if (!noted && page.size() >= PAGE) {
                    told.told(hook.id(), upTo);
                }
            }
        }

        private void tell(long seq, Notice notice) throws InterruptedException {
            HttpRequest request = HttpRequest.newBuilder(hook.url())
                    .timeout(patience.answer())
                    .header("Content-Type", "application/json")
                    .header("User-Agent", "gavel")
                    .POST(HttpRequest.BodyPublishers.ofString(
                            hook.body(seq, notice).raw()))
                    .build();
            for (int tried = 1; ; tried++) {
                if (!ours.getAsBoolean()) {
                    throw new InterruptedException("another process tells it now");
                }
                switch (post(request)) {
                    case Answer.Taken() -> {
                        return;
                    }
                    case Answer.Never(String why) -> {
                        givenUp(notice, why);
                        return;
                    }
                    case Answer.Later later -> {
                        if (tried >= patience.tries()) {
                            givenUp(notice, later.why() + ", the last of " + tried + " times");
                            return;
                        }
                        LOG.info("The {} did not take the notice of {}: {}.", hook, notice.number(), later.why());
                        patience.waiting().waitFor(patience.after(tried, later.after()));
                    }
                }
            }
        }

        private void givenUp(Notice notice, String why) {
            LOG.warn(
                    "The {} was not told of SEP {} ({}): {}. It is not tried again; see that the address is right.",
                    hook,
                    notice.number(),
                    notice.kind().word(),
                    why);
        }

        /** Posts once. What the other end says beside its status is not read: it may be endless. */
        private Answer post(HttpRequest request) throws InterruptedException {
            try {
                HttpResponse<InputStream> response = http.send(request, HttpResponse.BodyHandlers.ofInputStream());
                response.body().close();
                return Answer.of(response.statusCode(), response.headers().firstValue("Retry-After"));
            } catch (IOException e) {
                if (Thread.interrupted()) {
                    // It was ended in the middle of it.
                    throw new InterruptedException();
                }
                // Messages of exceptions may repeat the address.
                return new Answer.Later(e.getClass().getSimpleName(), Optional.empty());
            }
        }
    }
}
