package dev.gavel.sep.notification;

/** A destination of notifications: a webhook or the mailbox of a person. Its text form names it in logs. */
public interface NotificationChannel extends AutoCloseable {
    /** Returns an identifier under which the progress of the channel is stored. It contains no secret. */
    String id();

    /** Whether a notification is meant for this channel. */
    boolean accepts(SepNotification sepNotification);

    /** Delivers a notification once. Blocks until the receiver has answered. */
    DeliveryResult deliver(long seq, SepNotification sepNotification) throws InterruptedException;

    @Override
    void close();
}
