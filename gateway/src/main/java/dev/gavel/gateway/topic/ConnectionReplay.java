package dev.gavel.gateway.topic;

import dev.gavel.gateway.delivery.ConnectionCloseReason;
import dev.gavel.gateway.delivery.ConnectionDeliveryState;
import dev.gavel.gateway.delivery.TransportChannel;
import dev.gavel.gateway.store.MessageReplayResult;
import dev.gavel.gateway.store.OutgoingProposalMessage;
import dev.gavel.gateway.store.ProposalReader;
import io.netty.util.concurrent.EventExecutor;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends one connection the proposal events that it missed, in chunks, before the connection receives newer events.
 * Until it has caught up it is sent nothing newer about proposals, so that it receives all events in order. Confined to
 * the topic's loop, except for reading the ledger.
 */
final class ConnectionReplay {
    private static final Logger log = LoggerFactory.getLogger(ConnectionReplay.class);

    private final TopicConnection connection;
    private final ProposalReader reader;
    private final EventExecutor loop;
    private final TopicServices services;
    private final SubscriberEnvelopeSender broadcaster;
    private final LongSupplier publishedSeq;
    private long position;

    /**
     * Creates a replay of the events after a seq.
     *
     * @param publishedSeq the last seq that has been sent to the connections that are not behind
     */
    ConnectionReplay(
            TopicConnection connection,
            long since,
            ProposalReader proposalReader,
            EventExecutor loop,
            TopicServices topicServices,
            SubscriberEnvelopeSender subscriberEnvelopeSender,
            LongSupplier publishedSeq) {
        this.connection = connection;
        this.position = since;
        this.reader = proposalReader;
        this.loop = loop;
        this.services = topicServices;
        this.broadcaster = subscriberEnvelopeSender;
        this.publishedSeq = publishedSeq;
    }

    void start() {
        broadcaster.beginReplay(connection.receiver(), publishedSeq.getAsLong());
        read();
    }

    private void read() {
        long from = position;
        services.ioExecutor().execute(connection.member().id(), () -> {
            if (connection.isClosed()) {
                return;
            }
            try {
                MessageReplayResult messageReplayResult = reader.replayAfter(from);
                loop.execute(() -> deliver(messageReplayResult));
            } catch (RuntimeException e) {
                // It is better to make the client reconnect than to leave it with a gap that it does not know of.
                log.warn("The replay after seq {} cannot be read; closing the connection: {}", from, e.toString());
                connection.close(ConnectionCloseReason.FAILED);
            }
        });
    }

    private void deliver(MessageReplayResult messageReplayResult) {
        if (connection.isClosed()) {
            return;
        }
        switch (messageReplayResult) {
            case MessageReplayResult.Resync resync -> {
                broadcaster.sendTo(
                        connection.receiver(),
                        services.systemMessages()
                                .resync(
                                        connection.member(),
                                        resync,
                                        services.clock().instant()));
                position = publishedSeq.getAsLong();
            }
            case MessageReplayResult.Messages(List<OutgoingProposalMessage> messages, long upTo) -> {
                messages.stream().filter(this::shouldSend).forEach(this::send);
                position = Math.min(upTo, publishedSeq.getAsLong());
            }
        }
        if (position == publishedSeq.getAsLong()) {
            broadcaster.endReplay(connection.receiver());
        } else {
            readWhenDrained();
        }
    }

    /** Events that are durable but not published yet reach this connection when they are published. */
    private boolean shouldSend(OutgoingProposalMessage message) {
        return message.seq() <= publishedSeq.getAsLong()
                && message.isVisibleTo(connection.member().id())
                && (connection.mode() == SubscriptionScope.ALL
                        || message.concerns(connection.member().id()));
    }

    private void send(OutgoingProposalMessage message) {
        broadcaster.sendReplayed(connection.receiver(), connection.member().id(), message);
    }

    private void readWhenDrained() {
        ConnectionDeliveryState receiver = connection.receiver();
        TransportChannel transportChannel = receiver.channel();
        broadcaster.flush();
        // Queued behind the flushed bytes, if those went to another loop.
        transportChannel.loop().execute(() -> transportChannel.whenDrained(() -> loop.execute(this::read)));
    }
}
