package dev.gavel.sep.notification;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers notifications to channels in order and at least once, each channel on its own threads. A thread holds at most
 * one page of pending notifications in memory. Thread-safe.
 */
public final class NotificationSender implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NotificationSender.class);
    private static final int PAGE = 100;

    private final DeliveryCursorStore cursors;
    private final DeliveryRetryPolicy retryPolicy;
    private final BooleanSupplier isOwner;
    private final List<NotificationChannel> channels;
    private final List<ChannelWorker> workers = new ArrayList<>();

    /**
     * Creates a sender that is not started.
     *
     * @param readers the sources of notifications; each channel gets the notifications of each source in order
     * @param ownershipCheck whether this process is still responsible for delivery; queried right before each attempt
     */
    public NotificationSender(
            List<? extends NotificationChannel> channels,
            List<? extends SepNotificationReader> readers,
            DeliveryCursorStore deliveryCursorStore,
            DeliveryRetryPolicy retryPolicy,
            BooleanSupplier ownershipCheck) {
        this.isOwner = ownershipCheck;
        this.cursors = deliveryCursorStore;
        this.retryPolicy = retryPolicy;
        this.channels = List.copyOf(channels);
        for (NotificationChannel channel : this.channels) {
            readers.forEach(reader -> workers.add(new ChannelWorker(channel, reader)));
        }
    }

    /** Starts delivery, from the stored cursors of each channel. */
    public void start() {
        workers.forEach(worker -> worker.thread.start());
    }

    /** Signals that the source may have new notifications. */
    public void wake() {
        for (ChannelWorker worker : workers) {
            if (worker.wakeUp.availablePermits() == 0) {
                worker.wakeUp.release();
            }
        }
    }

    /** Stops immediately. The remaining notifications are delivered after the next start. */
    @Override
    public void close() {
        workers.forEach(worker -> worker.thread.interrupt());
        channels.forEach(NotificationChannel::close);
    }

    /** Delivers the notifications of one source to one channel on its own thread. */
    private final class ChannelWorker {
        private final NotificationChannel channel;
        private final SepNotificationReader notificationReader;
        private final String cursor;
        private final Thread thread;
        private final Semaphore wakeUp = new Semaphore(1);

        /** Sequence number of the last event that was delivered or has no notification; -1 before the cursor is loaded. */
        private long position = -1;

        ChannelWorker(NotificationChannel channel, SepNotificationReader notificationReader) {
            this.channel = channel;
            this.notificationReader = notificationReader;
            this.cursor = channel.id() + notificationReader.cursorSuffix();
            this.thread = Thread.ofVirtual().name(channel.toString()).unstarted(this::run);
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
                    LOG.warn("The notifications for the {} could not be read or recorded; retrying.", channel, e);
                }
            }
        }

        private void catchUp() throws InterruptedException {
            if (position < 0) {
                position = cursors.position(cursor, notificationReader::lastSeq);
            }
            for (List<SepNotificationReader.Entry> page = notificationReader.readAfter(position, PAGE);
                    !page.isEmpty();
                    page = notificationReader.readAfter(position, PAGE)) {
                boolean lastHasNotification = false;
                for (SepNotificationReader.Entry entry : page) {
                    Optional<SepNotification> sepNotification =
                            entry.notification().filter(channel::accepts);
                    lastHasNotification = sepNotification.isPresent();
                    if (sepNotification.isPresent()) {
                        deliver(entry.seq(), sepNotification.get());
                        cursors.advance(cursor, entry.seq());
                    }
                    position = entry.seq();
                }
                // Events without a notification do not advance the stored cursor one by one. After a restart they are
                // only read again.
                if (!lastHasNotification && page.size() >= PAGE) {
                    cursors.advance(cursor, position);
                }
            }
        }

        private void deliver(long seq, SepNotification sepNotification) throws InterruptedException {
            for (int attempt = 1; ; attempt++) {
                if (!isOwner.getAsBoolean()) {
                    throw new InterruptedException("another process sends the notifications now");
                }
                switch (channel.deliver(seq, sepNotification)) {
                    case DeliveryResult.Accepted() -> {
                        return;
                    }
                    case DeliveryResult.Rejected(String reason) -> {
                        logGivenUp(sepNotification, reason);
                        return;
                    }
                    case DeliveryResult.RetryLater later -> {
                        if (attempt >= retryPolicy.maxAttempts()) {
                            logGivenUp(sepNotification, later.reason() + " at the last of " + attempt + " attempts");
                            return;
                        }
                        LOG.info(
                                "The {} did not accept the notification about {}: {}; retrying.",
                                channel,
                                logName(sepNotification),
                                later.reason());
                        retryPolicy.sleeper().sleep(retryPolicy.delayAfter(attempt, later.after()));
                    }
                }
            }
        }

        private void logGivenUp(SepNotification sepNotification, String reason) {
            LOG.warn(
                    "The {} did not accept the notification about {} ({}): {}. The notification is dropped; check the"
                            + " address.",
                    channel,
                    logName(sepNotification),
                    sepNotification.kind().wireName(),
                    reason);
        }
    }

    /** Names a notification without its title, which comes from users. */
    private static String logName(SepNotification sepNotification) {
        return sepNotification.kind() == SepNotification.Kind.DIGEST
                ? "waiting proposals"
                : "proposal " + sepNotification.number();
    }
}
