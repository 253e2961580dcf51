package dev.gavel.gateway;

import dev.gavel.gateway.measure.TopicMeasures;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts who and what is in a topic. Confined to the topic's loop.
 *
 * @param proceedings null where the topic has no ledger
 */
record Census(Attendance attendance, @Nullable Proceedings proceedings) {
    TopicMeasures.Now now() {
        List<Connection> all = attendance.all();
        int sockets = (int) all.stream().filter(Connection::isSocket).count();
        return new TopicMeasures.Now(
                sockets,
                all.size() - sockets,
                proceedings == null ? 0 : proceedings.polls().waiting(),
                attendance.local(),
                all.stream().mapToInt(each -> each.backlog().waiting()).sum(),
                all.stream()
                        .mapToLong(each -> each.receiver().outlet().waiting())
                        .sum(),
                proceedings == null ? TopicMeasures.Proposals.NONE : proceedings.counts());
    }
}
