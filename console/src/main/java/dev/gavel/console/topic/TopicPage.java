package dev.gavel.console.topic;

import dev.gavel.console.Frame;
import java.util.List;
import java.util.Optional;

/**
 * The page of a topic.
 *
 * @param people those who are here first
 * @param open how many proposals wait there; none where it keeps no ledger
 * @param inside what a member sees; an admin who is none sees only who is there
 */
public record TopicPage(
        Frame frame, String name, List<TopicMember> people, Optional<Integer> open, Optional<Inside> inside) {
    /** How many steps of proposals are shown. */
    public static final int MOST = 200;

    /** How long something said is at most, in characters. */
    public static final int LONGEST_TEXT = 4_000;

    public TopicPage {
        people = List.copyOf(people);
    }

    /**
     * What happens in it.
     *
     * @param rows the newest first
     * @param chat what the reader is writing, where they may
     */
    public record Inside(Filter filter, List<Row> rows, Optional<Chat> chat) {
        public Inside {
            rows = List.copyOf(rows);
        }
    }

    /**
     * Where somebody says something.
     *
     * @param text what they wrote and could not be said
     * @param complaint why not
     */
    public record Chat(String text, Optional<String> complaint) {
        /** Nothing written yet. */
        public static final Chat EMPTY = new Chat("", Optional.empty());
    }

    /** How many are here. */
    public long here() {
        return people.stream().filter(TopicMember::here).count();
    }

    /** Where it is. */
    public String path() {
        return Paths.topic(name);
    }
}
