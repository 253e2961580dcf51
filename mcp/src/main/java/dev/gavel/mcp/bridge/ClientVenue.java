package dev.gavel.mcp.bridge;

import dev.gavel.client.Gavel;
import dev.gavel.client.GavelException;
import dev.gavel.client.LinkEvent;
import dev.gavel.client.Participant;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.Spelling;
import java.io.IOException;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A topic of a gateway elsewhere. Thread-safe. */
@SuppressWarnings("FutureReturnValueIgnored") // what becomes of it is heard, not waited for
public final class ClientVenue implements Venue {
    private static final Logger log = LoggerFactory.getLogger(Bridge.class);

    private final Supplier<Gavel> gateway;
    private final String member;

    /**
     * Where this member takes part.
     *
     * @param gateway with address, token and topic
     */
    public ClientVenue(Supplier<Gavel> gateway, String member) {
        this.gateway = gateway;
        this.member = member;
    }

    @Override
    public Place join(Occupant occupant) throws IOException {
        AtomicBoolean away = new AtomicBoolean();
        Participant participant;
        try {
            participant = gateway.get()
                    .directed()
                    .onEnvelope(envelope -> occupant.heard(bytes(envelope)))
                    .onLink(event -> linked(event, occupant, away))
                    .connect();
        } catch (GavelException e) {
            throw new IOException(e.getMessage(), e);
        }
        if (!participant.id().equals(member)) {
            participant.close();
            throw new IOException(isSomebodyElse(participant.id(), member));
        }
        participant.over().thenAccept(why -> occupant.expelled(String.valueOf(why.getMessage())));
        return new Place() {
            @Override
            public void send(byte[] envelope, boolean kept, Consumer<String> failed) {
                CompletableFuture<Void> sent;
                try {
                    sent = kept ? participant.sendUntilKept(envelope) : participant.send(envelope);
                } catch (GavelException e) {
                    log.debug("bridge {}: not sent: {}", member, e.getMessage());
                    return;
                }
                sent.whenComplete((_, failure) -> {
                    if (failure instanceof GavelException.Refused || failure instanceof GavelException.Unreachable) {
                        failed.accept(String.valueOf(failure.getMessage()));
                    }
                });
            }

            @Override
            public void close() {
                participant.close();
            }
        };
    }

    /** What to say of a token that is another's than the bridge's. */
    public static String isSomebodyElse(String owner, String member) {
        return "the token is that of '" + owner + "', and the bridge is to be '" + member + "'; give the token of '"
                + member + "', or the name '" + owner + "'";
    }

    private static byte[] bytes(Envelope envelope) {
        return envelope.encode(Spelling.CURRENT, String.valueOf(envelope.from()), Instant.now());
    }

    private void linked(LinkEvent event, Occupant occupant, AtomicBoolean away) {
        switch (event) {
            case LinkEvent.Up _ -> {
                if (away.compareAndSet(true, false)) {
                    log.info("bridge {}: the gateway is back", member);
                    occupant.returned();
                }
            }
            case LinkEvent.Down(String why) -> {
                if (away.compareAndSet(false, true)) {
                    log.warn("bridge {}: the gateway is away ({}); trying again until it is back", member, why);
                }
            }
            case LinkEvent.Missed(long envelopes) ->
                log.warn("bridge {}: so much came at once that {} envelopes were missed", member, envelopes);
            case LinkEvent.Resync _, LinkEvent.Over _ -> {}
        }
    }
}
