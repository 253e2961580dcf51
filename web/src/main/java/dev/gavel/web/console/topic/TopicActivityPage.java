package dev.gavel.web.console.topic;

import dev.gavel.web.console.page.PageLayoutData;
import java.util.List;
import java.util.Optional;

/**
 * The page of a topic with its members, its activity and the chat form.
 *
 * @param members connected members first
 * @param openProposals the number of open proposals; empty if the topic has no ledger
 * @param memberContent what only members see; empty for an admin who is not a member, and sees only the member list
 */
public record TopicActivityPage(
        PageLayoutData frame,
        String name,
        List<TopicMemberView> members,
        Optional<Integer> openProposals,
        Optional<MemberContent> memberContent) {
    /** The number of proposal events that the page shows. */
    public static final int MAX_PROPOSAL_EVENTS = 200;

    /** The maximum length of a chat message, in characters. */
    public static final int MAX_CHAT_LENGTH = 4_000;

    public TopicActivityPage {
        members = List.copyOf(members);
    }

    /**
     * The activity in a topic.
     *
     * @param rows newest first
     * @param chatForm empty if the reader may not chat
     */
    public record MemberContent(ActivityFilter filter, List<ActivityRow> rows, Optional<ChatForm> chatForm) {
        public MemberContent {
            rows = List.copyOf(rows);
        }
    }

    /**
     * The form for a chat message.
     *
     * @param text the text of a refused message
     * @param complaint why the message was refused
     */
    public record ChatForm(String text, Optional<String> complaint) {
        public static final ChatForm EMPTY = new ChatForm("", Optional.empty());
    }

    /** The number of connected members. */
    public long connectedCount() {
        return members.stream().filter(TopicMemberView::connected).count();
    }

    public String path() {
        return TopicPaths.topic(name);
    }
}
