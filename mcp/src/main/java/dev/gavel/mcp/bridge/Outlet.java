package dev.gavel.mcp.bridge;

import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.RpcError;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.mcpx.Reading;
import dev.gavel.mcpx.Refusal;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a bridge says into its topic, once it has a place there. Nothing in here waits. Thread-safe. */
final class Outlet {
    private static final Logger log = LoggerFactory.getLogger(Bridge.class);

    private final String name;
    private final EnvelopeReader reader;
    private final Allowance allowance = new Allowance();
    private volatile Venue.@Nullable Place place;

    /**
     * One that leads nowhere yet.
     *
     * @param reader holds envelopes to what the gateway takes
     */
    Outlet(String name, EnvelopeReader reader) {
        this.name = name;
        this.reader = reader;
    }

    void open(Venue.Place to) {
        place = to;
    }

    /** Leaves the topic. */
    void close() {
        Venue.Place from = place;
        if (from != null) {
            from.close();
        }
    }

    /** Answers a request; where the answer cannot be sent, with an error that says so. */
    void answer(Asked asked, Message.Answer answer) {
        byte[] envelope = asked.answered(answer);
        objection(envelope)
                .ifPresentOrElse(
                        why -> unsendable(asked, why),
                        () -> send(
                                envelope,
                                asked.proposal().isPresent() ? Venue.Worth.KEPT : Venue.Worth.ANSWER,
                                why -> unsendable(asked, why)));
    }

    private void unsendable(Asked asked, String why) {
        sent(
                asked.answered(RpcError.UNSENDABLE.failure("null", "the server's answer cannot be sent on: " + why)),
                Venue.Worth.ANSWER);
    }

    /** Tells everybody, within what a server may say. */
    void broadcast(Message.Notification notification) {
        if (allowed()) {
            Notices.broadcast(notification).ifPresent(this::notice);
        }
    }

    void notice(byte[] envelope) {
        sent(envelope, Venue.Worth.NOTICE);
    }

    /** Whether the server may be passed on once more; it is logged from time to time how often it was not. */
    boolean allowed() {
        if (allowance.take()) {
            return true;
        }
        long dropped = allowance.toTell();
        if (dropped > 0) {
            log.warn("bridge {}: its server notifies too often; {} notifications were not passed on", name, dropped);
        }
        return false;
    }

    private void sent(byte[] envelope, Venue.Worth worth) {
        objection(envelope)
                .ifPresentOrElse(
                        why -> log.warn("bridge {}: what its server says cannot be sent on: {}", name, why),
                        () -> send(envelope, worth, why -> {}));
    }

    /** Why the gateway would not take it: asked here, because nobody would hear of it there. */
    private Optional<String> objection(byte[] envelope) {
        Reading reading = reader.read(envelope);
        return reading instanceof Refusal refusal ? Optional.of(refusal.message()) : Optional.empty();
    }

    private void send(byte[] envelope, Venue.Worth worth, Consumer<String> failed) {
        Venue.Place to = place;
        if (to != null) {
            to.send(envelope, worth, failed);
        }
    }
}
