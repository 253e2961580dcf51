package dev.gavel.console;

import java.util.Map;

/** Writes the pages at the door, and what every part of the console has. Stateless. */
public final class Pages {
    private Pages() {}

    public static String signIn(SignIn page) {
        return Templates.fill("signIn.jte", Map.of("page", page));
    }

    /** A page that asks for itself again. */
    public static String again() {
        return Templates.fill("again.jte", Map.of());
    }

    public static String refused(Refused page) {
        return Templates.fill("refused.jte", Map.of("page", page));
    }

    /** A sentence, to be put into a page that is open. */
    public static String line(String words) {
        return Templates.fill("line.jte", Map.of("words", words));
    }
}
