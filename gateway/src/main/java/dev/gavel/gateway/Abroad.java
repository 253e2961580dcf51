package dev.gavel.gateway;

import dev.gavel.gateway.bus.Parcel;
import dev.gavel.gateway.bus.Party;
import dev.gavel.gateway.bus.Stay;
import dev.gavel.gateway.delivery.Closing;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeReader;
import io.netty.util.concurrent.EventExecutor;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a topic hears of the other processes that serve it. Confined to the topic's loop. */
final class Abroad implements Party {
    private static final Logger log = LoggerFactory.getLogger(Abroad.class);

    /** After that it is known who is present in other processes. */
    private static final long SETTLING_MILLIS = 2_500;

    private static final long MOST_HELD_BYTES = 8L * 1024 * 1024;
    private static final long LONGEST_HELD_MILLIS = 30_000;

    private final Topic topic;
    private final EventExecutor loop;
    private final InstantSource clock;
    private final EnvelopeReader envelopes;
    private final String process;

    /** So many bytes wait until what their senders had seen has been read from the ledger. */
    private long held;

    private boolean everReachable;

    Abroad(Topic topic, EventExecutor loop, Surroundings surroundings) {
        this.topic = topic;
        this.loop = loop;
        this.clock = surroundings.clock();
        this.envelopes = surroundings.envelopes();
        this.process = surroundings.bus().process();
    }

    @Override
    public void received(Parcel parcel) {
        Proceedings proceedings = topic.proceedings();
        int bytes = parcel.envelope().length;
        if (proceedings == null) {
            deliver(parcel);
        } else if (held + bytes > MOST_HELD_BYTES) {
            lost(parcel, "the ledger cannot be read, and too much waits for it");
        } else {
            held += bytes;
            proceedings.whenTold(parcel.after(), LONGEST_HELD_MILLIS, told -> {
                held -= bytes;
                if (!told) {
                    lost(parcel, "the ledger could not be read for so long");
                } else if (proceedings.isLate(parcel)) {
                    lost(parcel, "it comes after what was sent later");
                } else {
                    deliver(parcel);
                }
            });
        }
    }

    private void lost(Parcel parcel, String why) {
        log.atWarn()
                .addKeyValue("topic", topic.name())
                .addKeyValue("from", parcel.from())
                .log("an envelope from {} in topic '{}' is not handed on: {}", parcel.from(), topic.name(), why);
    }

    private void deliver(Parcel parcel) {
        if (envelopes.read(parcel.envelope()) instanceof Envelope envelope) {
            topic.intake().receive(parcel, envelope);
        }
    }

    /** A member has one socket at most, in whatever process: the newest stays. */
    @Override
    public void came(String where, Stay stay) {
        Membership membership = topic.roll()
                .of(stay.member())
                .orElseGet(() -> new Membership(new Member(stay.member(), stay.capabilities())));
        if (topic.attendance().elsewhere(where, stay, membership)) {
            topic.cameElsewhere(membership.member());
        }
        List<Connection> replaced = topic.attendance().of(stay.member()).stream()
                .filter(connection -> connection.isSocket() && stay.isNewerThan(connection.claim(), where, process))
                .toList();
        replaced.forEach(topic::leave);
        replaced.forEach(connection -> connection.close(Closing.REPLACED));
    }

    @Override
    public void left(String where, String member) {
        Optional<Member> known = topic.attendance().member(member);
        if (topic.attendance().noLongerElsewhere(where, member, clock.instant())) {
            known.ifPresent(topic::left);
        }
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // it happens, or the process ends before
    public void reachable(boolean now) {
        Attendance attendance = topic.attendance();
        if (!everReachable) {
            attendance.doubt(true);
            if (now) {
                everReachable = true;
                loop.schedule(() -> attendance.doubt(false), SETTLING_MILLIS, TimeUnit.MILLISECONDS);
            }
        }
        Proceedings proceedings = topic.proceedings();
        if (proceedings != null) {
            proceedings.reachable(now);
        }
    }
}
