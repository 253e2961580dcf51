package dev.gavel.sep.notification;

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
 * Posts notifications to webhooks in order and at least once, each webhook on its own thread. A thread holds at most
 * one page of pending notifications in memory. Thread-safe.
 */
public final class WebhookSender implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookSender.class);
    private static final int PAGE = 100;

    private final SepNotificationReader notificationReader;
    private final WebhookCursorStore cursors;
    private final WebhookRetryPolicy retryPolicy;
    private final BooleanSupplier isOwner;
    private final HttpClient http;
    private final List<HookWorker> workers = new ArrayList<>();

    /**
     * Creates a sender that is not started.
     *
     * @param ownershipCheck whether this process is still responsible for posting; queried right before each post
     */
    public WebhookSender(
            List<Webhook> hooks,
            SepNotificationReader sepNotificationReader,
            WebhookCursorStore webhookCursorStore,
            WebhookRetryPolicy webhookRetryPolicy,
            BooleanSupplier ownershipCheck) {
        this.isOwner = ownershipCheck;
        this.notificationReader = sepNotificationReader;
        this.cursors = webhookCursorStore;
        this.retryPolicy = webhookRetryPolicy;
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(webhookRetryPolicy.responseTimeout())
                .build();
        hooks.stream().distinct().map(HookWorker::new).forEach(workers::add);
    }

    /** Starts posting, from the stored cursor of each webhook. */
    public void start() {
        workers.forEach(hookWorker -> hookWorker.thread.start());
    }

    /** Signals that the source may have new notifications. */
    public void wake() {
        for (HookWorker hookWorker : workers) {
            if (hookWorker.wakeUp.availablePermits() == 0) {
                hookWorker.wakeUp.release();
            }
        }
    }

    /** Stops immediately. The remaining notifications are posted after the next start. */
    @Override
    public void close() {
        workers.forEach(hookWorker -> hookWorker.thread.interrupt());
        http.shutdownNow();
    }

    /** Posts the notifications of one webhook on its own thread. */
    private final class HookWorker {
        private final Webhook hook;
        private final Thread thread;
        private final Semaphore wakeUp = new Semaphore(1);

        /** Sequence number of the last event that was posted or has no notification; -1 before the cursor is loaded. */
        private long position = -1;

        HookWorker(Webhook hook) {
            this.hook = hook;
            this.thread = Thread.ofVirtual().name("webhook " + hook.host()).unstarted(this::run);
        }

        private void run() {
            int failed = 0;
            while (!Thread.currentThread().isInterrupted()) {
                try {
                    if (failed > 0) {
                        retryPolicy.sleeper().sleep(retryPolicy.delayAfter(failed, Optional.empty()));
                    } else {
                        wakeUp.acquire();
                        wakeUp.drainPermits();
                    }
                    catchUp();
                    failed = 0;
                } catch (InterruptedException e) {
                    return;
                } catch (RuntimeException e) {
                    // The ledger may be unavailable for a while. The notifications are still there afterwards.
                    failed++;
                    LOG.warn("The notifications for the {} could not be read or recorded; retrying.", hook, e);
                }
            }
        }

        private void catchUp() throws InterruptedException {
            if (position < 0) {
                position = cursors.position(hook.id());
            }
            for (List<SepNotificationReader.Entry> page = notificationReader.readAfter(position, PAGE);
                    !page.isEmpty();
                    page = notificationReader.readAfter(position, PAGE)) {
                boolean lastHasNotification = false;
                for (SepNotificationReader.Entry entry : page) {
                    Optional<SepNotification> sepNotification = entry.notification();
                    lastHasNotification = sepNotification.isPresent();
                    if (sepNotification.isPresent()) {
                        deliver(entry.seq(), sepNotification.get());
                        cursors.advance(hook.id(), entry.seq());
                    }
                    position = entry.seq();
                }
                // Events without a notification do not advance the stored cursor one by one. After a restart they are
                // only read again.
                if (!lastHasNotification && page.size() >= PAGE) {
                    cursors.advance(hook.id(), position);
                }
            }
        }

        private void deliver(long seq, SepNotification sepNotification) throws InterruptedException {
            HttpRequest request = HttpRequest.newBuilder(hook.url())
                    .timeout(retryPolicy.responseTimeout())
                    .header("Content-Type", "application/json")
                    .header("User-Agent", "gavel")
                    .POST(HttpRequest.BodyPublishers.ofString(
                            hook.body(seq, sepNotification).raw()))
                    .build();
            for (int attempt = 1; ; attempt++) {
                if (!isOwner.getAsBoolean()) {
                    throw new InterruptedException("another process sends the notifications now");
                }
                switch (post(request)) {
                    case WebhookPostResult.Accepted() -> {
                        return;
                    }
                    case WebhookPostResult.Rejected(String reason) -> {
                        logGivenUp(sepNotification, reason);
                        return;
                    }
                    case WebhookPostResult.RetryLater later -> {
                        if (attempt >= retryPolicy.maxAttempts()) {
                            logGivenUp(sepNotification, later.reason() + " at the last of " + attempt + " attempts");
                            return;
                        }
                        LOG.info(
                                "The {} did not accept the notification about SEP {}: {}; retrying.",
                                hook,
                                sepNotification.number(),
                                later.reason());
                        retryPolicy.sleeper().sleep(retryPolicy.delayAfter(attempt, later.after()));
                    }
                }
            }
        }

        private void logGivenUp(SepNotification sepNotification, String reason) {
            LOG.warn(
                    "The {} did not accept the notification about SEP {} ({}): {}. The notification is dropped; check"
                            + " the address.",
                    hook,
                    sepNotification.number(),
                    sepNotification.kind().wireName(),
                    reason);
        }

        /** Posts once. The response body is not read, because it may be endless. */
        private WebhookPostResult post(HttpRequest request) throws InterruptedException {
            try {
                HttpResponse<InputStream> response = http.send(request, HttpResponse.BodyHandlers.ofInputStream());
                response.body().close();
                return WebhookPostResult.of(
                        response.statusCode(), response.headers().firstValue("Retry-After"));
            } catch (IOException e) {
                if (Thread.interrupted()) {
                    // The sender was closed during the request.
                    throw new InterruptedException();
                }
                // The exception message may contain the address, which is secret.
                return new WebhookPostResult.RetryLater(e.getClass().getSimpleName(), Optional.empty());
            }
        }
    }
}
