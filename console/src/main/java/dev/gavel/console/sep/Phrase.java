package dev.gavel.console.sep;

/** Words that become sentences, or parts of them. Stateless. */
public final class Phrase {
    private Phrase() {}

    /** As a sentence begins. */
    public static String raised(String words) {
        return words.isEmpty() ? words : Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }

    /** As a sentence goes on. */
    public static String lowered(String words) {
        return words.isEmpty() ? words : Character.toLowerCase(words.charAt(0)) + words.substring(1);
    }

    /** As a sentence ends. */
    public static String ended(String words) {
        return words.isEmpty() || ".!?…".indexOf(words.charAt(words.length() - 1)) >= 0 ? words : words + ".";
    }

    /** How many there are of something. */
    public static String count(long count, String one, String several) {
        return count + " " + (count == 1 ? one : several);
    }
}
