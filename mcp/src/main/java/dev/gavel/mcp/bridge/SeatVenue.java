package dev.gavel.mcp.bridge;

import dev.gavel.gateway.Connection;
import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.Membership;
import dev.gavel.gateway.Mode;
import dev.gavel.gateway.Seat;
import dev.gavel.gateway.Topic;
import dev.gavel.gateway.Warrant;
import dev.gavel.gateway.delivery.Closing;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** A topic of this process. Thread-safe. */
public final class SeatVenue implements Venue {
    private final Gateway gateway;
    private final Topic topic;
    private final String member;
    private final BooleanSupplier ours;

    /**
     * Where this member takes part in this topic.
     *
     * @param ours whether it is for this process to do so; others may serve the topic too
     */
    public SeatVenue(Gateway gateway, Topic topic, String member, BooleanSupplier ours) {
        this.gateway = gateway;
        this.topic = topic;
        this.member = member;
        this.ours = ours;
    }

    @Override
    public boolean ours() {
        return ours.getAsBoolean();
    }

    @Override
    public Optional<String> closed() {
        if (gateway.draining()) {
            return Optional.of("the gateway is stopping");
        }
        if (!ours()) {
            return Optional.of("another process has taken its place");
        }
        return topic.membership(member).isPresent() ? Optional.empty() : Optional.of(notAMember());
    }

    private String notAMember() {
        return "'" + member + "' is no member of topic '" + topic.name() + "' any more";
    }

    @Override
    public void unanswered(Consumer<Asked> found) {
        topic.records()
                .ifPresent(records -> topic.member(member)
                        .ifPresent(who ->
                                new Unanswered(records, who, Instant.now(), this::ours, found).lookLater(topic)));
    }

    @Override
    public Place join(Occupant occupant) throws IOException {
        Membership membership = topic.membership(member).orElseThrow(() -> new IOException(notAMember()));
        Seat seat = gateway.seat(
                topic,
                membership,
                new Warrant(),
                new Connection.Wish(Mode.DIRECTED, OptionalLong.empty()),
                new Seat.Guest() {
                    @Override
                    public void heard(byte[] envelope) {
                        occupant.heard(envelope);
                    }

                    @Override
                    public void closed(Closing why) {
                        occupant.expelled(
                                why == Closing.REVOKED
                                        ? notAMember()
                                        : "its place in topic '" + topic.name() + "' was closed: " + why.reason(),
                                false);
                    }
                });
        return new Place() {
            @Override
            public void send(byte[] envelope, Worth worth, Consumer<String> failed) {
                seat.send(envelope);
            }

            @Override
            public void close() {
                seat.close();
            }
        };
    }
}
