package dev.gavel.gateway;

import dev.gavel.gateway.delivery.Closing;
import dev.gavel.gateway.delivery.Outlet;
import dev.gavel.gateway.delivery.Receiver;
import dev.gavel.gateway.docket.Archive;
import dev.gavel.gateway.docket.Message;
import dev.gavel.gateway.docket.Replayed;
import io.netty.util.concurrent.EventExecutor;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells one connection what happened to proposals while it was away: a piece at a time, the next when it has taken the
 * one before, so that the slowest reader is not overrun. Until it has caught up it is sent nothing newer about proposals,
 * so that it hears of everything in order. Confined to the topic's loop, but for the reading.
 */
final class CatchUp {
    private static final Logger log = LoggerFactory.getLogger(CatchUp.class);

    private final Connection connection;
    private final Archive archive;
    private final EventExecutor loop;
    private final Surroundings surroundings;
    private final Audience audience;
    private final LongSupplier present;
    private long position;

    /**
     * What happened after a seq, for a connection.
     *
     * @param present the last seq that those who are not behind have been told of
     */
    CatchUp(
            Connection connection,
            long since,
            Archive archive,
            EventExecutor loop,
            Surroundings surroundings,
            Audience audience,
            LongSupplier present) {
        this.connection = connection;
        this.position = since;
        this.archive = archive;
        this.loop = loop;
        this.surroundings = surroundings;
        this.audience = audience;
        this.present = present;
    }

    void start() {
        audience.fallBehind(connection.receiver(), present.getAsLong());
        read();
    }

    private void read() {
        long from = position;
        surroundings.reading().execute(() -> {
            try {
                Replayed replayed = archive.after(from);
                loop.execute(() -> tell(replayed));
            } catch (RuntimeException e) {
                // Better told to come again than left with a gap it does not know of.
                log.warn("a replay could not be read on from seq {}: {}", from, e.toString());
                connection.close(Closing.FAILED);
            }
        });
    }

    private void tell(Replayed replayed) {
        if (connection.gone()) {
            return;
        }
        switch (replayed) {
            case Replayed.Resync resync -> {
                audience.toOne(
                        connection.receiver(),
                        surroundings
                                .notices()
                                .resync(
                                        connection.member(),
                                        resync,
                                        surroundings.clock().instant()));
                position = present.getAsLong();
            }
            case Replayed.Messages(List<Message> messages, long upTo) -> {
                messages.stream().filter(this::isDue).forEach(this::send);
                position = Math.min(upTo, present.getAsLong());
            }
        }
        if (position == present.getAsLong()) {
            audience.catchUp(connection.receiver());
        } else {
            goOn();
        }
    }

    /** What is durable but has not been told to anybody yet will come with everybody else's. */
    private boolean isDue(Message message) {
        return message.seq() <= present.getAsLong()
                && (connection.mode() == Mode.ALL
                        || message.concerns(connection.member().id()));
    }

    private void send(Message message) {
        audience.replay(connection.receiver(), message);
    }

    private void goOn() {
        Receiver receiver = connection.receiver();
        Outlet outlet = receiver.outlet();
        audience.flush();
        // Behind what was just flushed, if that went to another loop.
        outlet.loop().execute(() -> outlet.whenTaken(() -> loop.execute(this::read)));
    }
}
