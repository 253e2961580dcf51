package dev.gavel.client.link;

import dev.gavel.mcpx.Envelope;

/** Takes what a link hears, in order and one at a time. Must return at once, and never wait for the link. */
public interface Hearing {
    /**
     * The link is up; what happened to proposals meanwhile follows.
     *
     * @param you who one is
     */
    void up(String you);

    /** The link is down, and will come up again unless it is over. */
    void down(String why);

    /** An envelope came that had not come before. */
    void heard(Envelope envelope);

    /** What happened meanwhile is not all kept any more: what one knows of proposals may be old. */
    void resync();

    /** The link is down for good. */
    void over(Ending why);
}
