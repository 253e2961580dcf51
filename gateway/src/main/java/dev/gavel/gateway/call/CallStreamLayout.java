package dev.gavel.gateway.call;

import dev.gavel.ledger.LedgerBody;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.SubjectSummary;
import dev.gavel.ledger.SummaryProjector;
import dev.gavel.mcpx.SystemMessage;

/**
 * Defines the names, event types and subjects of the ledger streams that contain call records. Each batch of records is
 * one event with its own subject. The period in which a gateway records the calls of a topic is a subject too, named
 * after the gateway process: it is open until the gateway has written all its records. Stateless.
 */
public final class CallStreamLayout {
    /** A batch of records. */
    static final String RECORDS = "calls";

    /** A gateway begins to record. */
    static final String STARTED = "started";

    /** A gateway stopped, and has written all its records. */
    static final String STOPPED = "stopped";

    /** A gateway ended without having written all its records, as another one found out. */
    static final String INTERRUPTED = "interrupted";

    private static final String PREFIX = "system:calls:";
    private static final LedgerBody EMPTY = LedgerBody.of("{}");

    private CallStreamLayout() {}

    /** The stream with the call records of a topic. */
    public static String of(String topic) {
        return PREFIX + topic;
    }

    /** Whether a stream contains call records. */
    public static boolean isCallStream(String stream) {
        return stream.startsWith(PREFIX);
    }

    /** Computes the summary of a batch of records, or of a gateway's recording period. */
    public static SummaryProjector summaryProjector() {
        return history -> summary(history.getFirst(), history.getLast());
    }

    /** The subjects have no end time, so that the retention of proposals does not delete them. */
    static SubjectSummary summary(LedgerEvent first, LedgerEvent last) {
        return new SubjectSummary(
                last.stream(),
                last.subject(),
                last.type(),
                last.type().equals(STARTED),
                SystemMessage.GATEWAY,
                null,
                first.at(),
                null,
                last.seq(),
                EMPTY);
    }

    /** The gateway process that wrote an event with records. Its subject is the process id and a number. */
    static String gateway(LedgerEvent event) {
        int end = event.subject().indexOf('-');
        return end < 0 ? event.subject() : event.subject().substring(0, end);
    }

    /** The body of an event about a gateway's recording period. */
    static LedgerBody gatewayBody(String gateway) {
        return LedgerBody.of("{\"gateway\":\"" + gateway + "\"}");
    }
}
