package dev.gavel.gateway.call;

import dev.gavel.gateway.proposal.MemberNames;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.RetainedStreamRange;
import dev.gavel.ledger.StreamReadResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads a topic's call records from the ledger page by page, newest first, and joins each call with its answer. One page
 * reads a bounded number of records. Thread-safe.
 */
public final class CallRecordReader {
    private static final Pattern CURSOR = Pattern.compile("(\\d{1,18})\\.(\\d{1,9})");
    private static final int WINDOW = 64;

    /** The index after all records of an event; it has as many digits as a cursor can have. */
    private static final int END_OF_EVENT = 999_999_999;

    /** The bytes of records that one page reads. */
    private static final long MAX_PAGE_BYTES = 8L * 1024 * 1024;

    /** The bytes of later records in which the answers to the calls of a page are searched. */
    private static final long MAX_ANSWER_BYTES = 16L * 1024 * 1024;

    /** Records of several gateways may be stored in another order than they were made. */
    private static final Duration MAX_DISORDER = Duration.ofSeconds(10);

    private static final Duration MAX_CLOCK_SKEW = Duration.ofSeconds(2);

    private final LedgerReader ledger;
    private final String stream;

    public CallRecordReader(LedgerReader ledger, String topic) {
        this.ledger = ledger;
        this.stream = CallStreamLayout.of(topic);
    }

    /**
     * Returns a page of calls.
     *
     * @param cursor where an earlier page ended; the result is empty if the cursor is not valid
     */
    public Optional<CallPage> page(CallQuery query, Optional<String> cursor, int limit) {
        return page(query, UnaryOperator.identity(), cursor, limit);
    }

    /**
     * Returns a page of calls as a reader may see them.
     *
     * @param shown replaces what the reader must not learn. The query selects by what is shown, so that a filter does not
     *     reveal it either
     * @param cursor where an earlier page ended; the result is empty if the cursor is not valid
     */
    Optional<CallPage> page(
            CallQuery query, UnaryOperator<CallRecord.Called> shown, Optional<String> cursor, int limit) {
        RetainedStreamRange range = ledger.retainedRange(stream);
        Position start = new Position(range.last(), END_OF_EVENT);
        if (cursor.isPresent()) {
            Matcher form = CURSOR.matcher(cursor.get());
            if (!form.matches()) {
                return Optional.empty();
            }
            start = new Position(
                    Math.min(range.last(), Long.parseLong(form.group(1))), Integer.parseInt(form.group(2)));
        }
        return Optional.of(new PageReader(query, shown, range, start, limit).read());
    }

    /** A place before a record: the seq of its event, and its index in the event. */
    private record Position(long seq, int index) {
        String toCursor() {
            return seq + "." + index;
        }
    }

    /** Reads one page. */
    private final class PageReader {
        private final CallQuery query;
        private final UnaryOperator<CallRecord.Called> shown;
        private final RetainedStreamRange range;
        private final Position start;
        private final int limit;
        private final CallAnswerIndex answers = new CallAnswerIndex();
        private final List<AuditedCall> calls = new ArrayList<>();
        private final List<String> callGateways = new ArrayList<>();
        private final List<CallRecordGap> gaps = new ArrayList<>();
        private CallOutcome unanswered = CallOutcome.UNANSWERED;

        /** Where the page ends because it is full; null while it is not. */
        private @Nullable Position end;

        PageReader(
                CallQuery query,
                UnaryOperator<CallRecord.Called> shown,
                RetainedStreamRange range,
                Position start,
                int limit) {
            this.query = query;
            this.shown = shown;
            this.range = range;
            this.start = start;
            this.limit = limit;
        }

        CallPage read() {
            indexLaterAnswers();
            long upTo = start.seq();
            long bytes = 0;
            while (upTo >= range.first() && end == null) {
                List<LedgerEvent> events = window(upTo);
                if (events.isEmpty()) {
                    break;
                }
                for (LedgerEvent event : events.reversed()) {
                    bytes += event.body().length();
                    readEvent(event);
                }
                LedgerEvent first = events.getFirst();
                upTo = first.seq() - 1;
                if (query.isBefore(first.at().plus(MAX_DISORDER))) {
                    break;
                }
                if (end == null && first.seq() == range.first() && range.first() > 1) {
                    gaps.add(new CallRecordGap(
                            first.at(), Optional.empty(), Optional.empty(), CallRecordGap.Reason.RETENTION));
                }
                if (end == null && bytes > MAX_PAGE_BYTES && upTo >= range.first()) {
                    end = new Position(upTo, END_OF_EVENT);
                }
            }
            return new CallPage(shownCalls(), gaps, Optional.ofNullable(end).map(Position::toCursor), MemberNames.IDS);
        }

        /** Returns the last events up to a seq. */
        private List<LedgerEvent> window(long upTo) {
            for (int size = WINDOW; ; size /= 4) {
                long after = Math.max(upTo - size, range.first() - 1);
                List<LedgerEvent> events = eventsAfter(after, (int) (upTo - after), MAX_PAGE_BYTES);
                if (events.isEmpty() || events.getLast().seq() >= upTo || size <= 1) {
                    return events;
                }
            }
        }

        private List<LedgerEvent> eventsAfter(long seq, int most, long bytes) {
            return switch (ledger.eventsAfter(stream, seq, most, bytes)) {
                case StreamReadResult.Events(List<LedgerEvent> events) -> events;
                // Pruned in the meantime.
                case StreamReadResult.Resync _ -> List.of();
            };
        }

        /** Reads the answers that follow the start of the page. */
        private void indexLaterAnswers() {
            long after = start.seq() - 1;
            long bytes = 0;
            while (after < range.last() && bytes <= MAX_ANSWER_BYTES) {
                List<LedgerEvent> events = eventsAfter(after, WINDOW, MAX_ANSWER_BYTES / 4);
                if (events.isEmpty()) {
                    return;
                }
                for (LedgerEvent event : events) {
                    bytes += event.body().length();
                    List<CallRecord> records = records(event);
                    for (int i = startIndex(event, records); i < records.size(); i++) {
                        if (records.get(i) instanceof CallRecord.Answered answered) {
                            answers.addLater(answered);
                        }
                    }
                }
                after = events.getLast().seq();
            }
            if (after < range.last()) {
                unanswered = CallOutcome.UNKNOWN;
            }
        }

        /** The index of the first record of an event that does not belong to this page. */
        private int startIndex(LedgerEvent event, List<CallRecord> records) {
            if (event.seq() < start.seq()) {
                return records.size();
            }
            return event.seq() > start.seq() ? 0 : Math.min(start.index(), records.size());
        }

        /** Reads the records of an event backwards. When the page is full, only answers are still of interest. */
        private void readEvent(LedgerEvent event) {
            if (event.type().equals(CallStreamLayout.INTERRUPTED) && end == null) {
                gaps.add(new CallRecordGap(
                        event.at(), Optional.empty(), Optional.empty(), CallRecordGap.Reason.INTERRUPTED));
            }
            List<CallRecord> records = records(event);
            String gateway = CallStreamLayout.gateway(event);
            for (int i = startIndex(event, records) - 1; i >= 0; i--) {
                switch (records.get(i)) {
                    case CallRecord.Answered answered -> {
                        if (!answerLaterRecorded(answered, gateway)) {
                            answers.addEarlier(answered);
                        }
                    }
                    case CallRecord.Lost lost -> {
                        if (end == null) {
                            gaps.add(new CallRecordGap(
                                    lost.at(),
                                    Optional.of(lost.since()),
                                    Optional.of(lost.count()),
                                    CallRecordGap.Reason.OVERFLOW));
                        }
                    }
                    case CallRecord.Called called -> {
                        if (end == null) {
                            addCall(called, gateway, new Position(event.seq(), i));
                        }
                    }
                }
            }
        }

        private void addCall(CallRecord.Called called, String gateway, Position position) {
            Optional<CallRecord.Answered> answer = answers.take(called);
            AuditedCall audited = new AuditedCall(
                    called, answer, answer.map(CallRecord.Answered::outcome).orElse(unanswered));
            if (isSelected(audited)) {
                calls.add(audited);
                callGateways.add(gateway);
                end = calls.size() == limit ? position : null;
            }
        }

        /** Filters by what is shown last, because it may read the ledger. */
        private boolean isSelected(AuditedCall audited) {
            return query.by().isEmpty()
                    ? query.matches(audited)
                    : query.withoutCaller().matches(audited) && query.matchesCaller(shown.apply(audited.called()));
        }

        private List<AuditedCall> shownCalls() {
            return calls.stream()
                    .map(call -> new AuditedCall(shown.apply(call.called()), call.answer(), call.outcome()))
                    .toList();
        }

        /**
         * Joins an answer with a call whose record follows it, because another gateway wrote the call's record later.
         * Returns whether there is such a call.
         */
        private boolean answerLaterRecorded(CallRecord.Answered answered, String gateway) {
            for (int i = calls.size() - 1; i >= 0; i--) {
                AuditedCall audited = calls.get(i);
                CallRecord.Called called = audited.called();
                if (audited.answer().isEmpty()
                        && called.id().equals(answered.id())
                        && called.by().equals(answered.caller())
                        && called.isAddressedTo(answered.by())
                        && answered.mayAnswerCallOf(called.at())
                        && !callGateways.get(i).equals(gateway)
                        && answered.at().isAfter(called.at().minus(MAX_CLOCK_SKEW))) {
                    calls.set(i, new AuditedCall(called, Optional.of(answered), answered.outcome()));
                    return true;
                }
            }
            return false;
        }

        private List<CallRecord> records(LedgerEvent event) {
            return event.type().equals(CallStreamLayout.RECORDS) ? CallRecordCodec.records(event.body()) : List.of();
        }
    }
}
