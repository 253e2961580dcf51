package dev.gavel.web.console.page;

import java.util.Optional;

/**
 * The layout data of every console page: title, section, signed-in user and live update stream.
 *
 * @param title what the page is called
 * @param section the part of the console it belongs to
 * @param user who is signed in, if anybody is
 * @param liveStream where the page is told what happens, if anywhere
 */
public record PageFrame(String title, Section section, Optional<User> user, Optional<LiveStream> liveStream) {
    /** The parts of the console. */
    public enum Section {
        INBOX,
        TOPICS,
        SEPS,
        ADMIN,
        /** Outside, where one signs in or is sent away. */
        DOOR
    }

    /**
     * Whoever is signed in.
     *
     * @param name how people call them
     * @param admin whether they are shown the administration
     * @param csrf what proves that a form is ours
     */
    public record User(String name, boolean admin, String csrf) {}

    /**
     * Where a page is told what happens.
     *
     * @param path of the stream, to which the mark is added
     * @param mark how far the page knows already
     */
    public record LiveStream(String path, String mark) {}

    /** Around a page for nobody in particular. */
    public static PageFrame anonymous(String title) {
        return new PageFrame(title, Section.DOOR, Optional.empty(), Optional.empty());
    }

    /** The same, of a page that is called otherwise. */
    public PageFrame withTitle(String other) {
        return new PageFrame(other, section, user, liveStream);
    }

    /** The same, of a page that is kept true. */
    public PageFrame live(String path, String mark) {
        return new PageFrame(title, section, user, Optional.of(new LiveStream(path, mark)));
    }

    /** What its forms carry; empty where nobody is signed in. */
    public String csrf() {
        return user.map(User::csrf).orElse("");
    }

    /** Whether the page needs room: lists and documents, other than cards and forms. */
    public boolean wide() {
        return section == Section.TOPICS || section == Section.SEPS || section == Section.ADMIN;
    }
}
