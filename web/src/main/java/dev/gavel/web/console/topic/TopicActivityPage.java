package dev.gavel.web.console.topic;

import dev.gavel.web.console.page.PageFrame;
import java.util.List;
import java.util.Optional;

/**
 * The page of a topic with its members, its activity and the chat form.
 *
 * @param members those who are here first
 * @param openProposals how many proposals wait there; none where it keeps no ledger
 * @param memberContent what a member sees; an admin who is none sees only who is there
 */
public record TopicActivityPage(
        PageFrame frame,
        String name,
        List<TopicMemberView> members,
        Optional<Integer> openProposals,
        Optional<MemberContent> memberContent) {
    /** How many steps of proposals are shown. */
    public static final int MAX_PROPOSAL_EVENTS = 200;

    /** How long something said is at most, in characters. */
    public static final int MAX_CHAT_LENGTH = 4_000;

    public TopicActivityPage {
        members = List.copyOf(members);
    }

    /**
     * What happens in it.
     *
     * @param rows the newest first
     * @param chatForm what the reader is writing, where they may
     */
    public record MemberContent(ActivityFilter filter, List<ActivityRow> rows, Optional<ChatForm> chatForm) {
        public MemberContent {
            rows = List.copyOf(rows);
        }
    }

    /**
     * Where somebody says something.
     *
     * @param text what they wrote and could not be said
     * @param complaint why not
     */
    public record ChatForm(String text, Optional<String> complaint) {
        /** Nothing written yet. */
        public static final ChatForm EMPTY = new ChatForm("", Optional.empty());
    }

    /** How many are here. */
    public long connectedCount() {
        return members.stream().filter(TopicMemberView::connected).count();
    }

    /** Where it is. */
    public String path() {
        return TopicPaths.topic(name);
    }
}
