package dev.gavel.web.console.page;

import dev.gavel.lifecycle.process.ProposalTerms;
import java.util.Locale;
import java.util.Optional;

/**
 * The data that the layout template needs for every console page: title, section, signed-in user and live update
 * stream.
 *
 * @param section the section of the console to which the page belongs
 * @param user empty if no user is signed in
 * @param liveStream empty if the page receives no live updates
 * @param terms how the page names specification proposals
 */
public record PageLayoutData(
        String title, Section section, Optional<User> user, Optional<LiveStream> liveStream, ProposalTerms terms) {
    /** The sections of the console. */
    public enum Section {
        INBOX,
        TOPICS,
        SEPS,
        ADMIN,
        /** Pages without a signed-in user: sign-in and refusals. */
        SIGNED_OUT;

        /** The class of the page's body, by which style sheets know the section. */
        public String cssClass() {
            return this == SIGNED_OUT ? "signed-out" : name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The signed-in user.
     *
     * @param name the display name
     * @param admin whether to show the link to the admin pages
     * @param csrf the token that proves that a form was sent from a console page
     */
    public record User(String name, boolean admin, String csrf) {}

    /**
     * The live update stream of a page.
     *
     * @param path the path of the stream, to which the mark is appended
     * @param mark the last change that the page knows
     */
    public record LiveStream(String path, String mark) {}

    /** Returns the frame of a page without a signed-in user. */
    public static PageLayoutData anonymous(String title) {
        return new PageLayoutData(title, Section.SIGNED_OUT, Optional.empty(), Optional.empty(), ProposalTerms.DEFAULT);
    }

    public PageLayoutData withTitle(String other) {
        return new PageLayoutData(other, section, user, liveStream, terms);
    }

    /** Returns a copy for a page that receives live updates. */
    public PageLayoutData live(String path, String mark) {
        return new PageLayoutData(title, section, user, Optional.of(new LiveStream(path, mark)), terms);
    }

    /** The CSRF token for the page's forms; empty if no user is signed in. */
    public String csrf() {
        return user.map(User::csrf).orElse("");
    }

    /** Whether the page uses the full width: lists and documents do, cards and forms do not. */
    public boolean wide() {
        return section == Section.TOPICS || section == Section.SEPS || section == Section.ADMIN;
    }
}
