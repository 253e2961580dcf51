package dev.gavel.sep.desk;

import dev.gavel.lifecycle.answer.Refusal;
import dev.gavel.lifecycle.history.Event;
import dev.gavel.sep.Sep;
import java.util.List;

/** What came of something that was to change a proposal. */
sealed interface Ruling {
    /**
     * It is so, and kept.
     *
     * @param events what happened; none where it was so already
     * @param advice what had better be otherwise, and stopped nothing
     */
    record Made(Sep sep, List<Event> events, List<String> advice) implements Ruling {
        public Made {
            events = List.copyOf(events);
            advice = List.copyOf(advice);
        }
    }

    /** It was refused. */
    record Refused(Refusal refusal) implements Ruling {}

    /** It could not be understood. */
    record Wrong(String message) implements Ruling {}

    /** There is no such proposal. */
    record Unknown(int number) implements Ruling {}
}
