package dev.gavel.faults.repeatedcalls;

import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One run of a call, as the tool server counted it. Immutable.
 *
 * @param proposal the proposal that the request fulfilled
 * @param request the id of the envelope that requested it
 */
record ToolRun(Name name, String proposal, String request, Instant at) {
    /**
     * The path and the number of a run, which are also the text of its result.
     *
     * @param number 1 for the first run with this path
     */
    record Name(String path, int number) {
        private static final Pattern TEXT = Pattern.compile("run (\\d+) of (\\S+)");

        static Optional<Name> parse(String text) {
            Matcher matcher = TEXT.matcher(text);
            return matcher.matches()
                    ? Optional.of(new Name(matcher.group(2), Integer.parseInt(matcher.group(1))))
                    : Optional.empty();
        }

        @Override
        public String toString() {
            return "run " + number + " of " + path;
        }
    }
}
