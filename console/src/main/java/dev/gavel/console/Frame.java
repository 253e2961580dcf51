package dev.gavel.console;

import java.util.Optional;

/**
 * What stands around every page.
 *
 * @param title what the page is called
 * @param place the part of the console it belongs to
 * @param reader who is signed in, if anybody is
 * @param live where the page is told what happens, if anywhere
 */
public record Frame(String title, Place place, Optional<Reader> reader, Optional<Live> live) {
    /** The parts of the console. */
    public enum Place {
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
    public record Reader(String name, boolean admin, String csrf) {}

    /**
     * Where a page is told what happens.
     *
     * @param path of the stream, to which the mark is added
     * @param mark how far the page knows already
     */
    public record Live(String path, String mark) {}

    /** Around a page for nobody in particular. */
    public static Frame plain(String title) {
        return new Frame(title, Place.DOOR, Optional.empty(), Optional.empty());
    }

    /** The same, of a page that is called otherwise. */
    public Frame called(String other) {
        return new Frame(other, place, reader, live);
    }

    /** The same, of a page that is kept true. */
    public Frame live(String path, String mark) {
        return new Frame(title, place, reader, Optional.of(new Live(path, mark)));
    }

    /** What its forms carry; empty where nobody is signed in. */
    public String csrf() {
        return reader.map(Reader::csrf).orElse("");
    }

    /** Whether the page needs room: lists and documents, other than cards and forms. */
    public boolean wide() {
        return place == Place.TOPICS || place == Place.SEPS || place == Place.ADMIN;
    }
}
