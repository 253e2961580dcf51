package dev.gavel.sep.notification;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How a person is reached outside Gavel. Immutable.
 *
 * @param discord the Discord user id
 * @param slack the Slack member id
 * @param mail the mail address
 */
public record Contact(Optional<String> discord, Optional<String> slack, Optional<String> mail) {
    private static final Pattern DISCORD = Pattern.compile("[0-9]{1,20}");
    private static final Pattern SLACK = Pattern.compile("[UW][A-Z0-9]{1,20}");
    private static final Pattern MAIL =
            Pattern.compile("[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(\\.[A-Za-z0-9-]{1,63}){0,10}");

    public Contact {
        require(discord, DISCORD);
        require(slack, SLACK);
        require(mail, MAIL);
    }

    /** Whether a text is a Discord user id. */
    public static boolean isDiscordId(String text) {
        return DISCORD.matcher(text).matches();
    }

    /** Whether a text is a Slack member id. */
    public static boolean isSlackId(String text) {
        return SLACK.matcher(text).matches();
    }

    /** Whether a text is a mail address that needs no quoting in a header. */
    public static boolean isMailAddress(String text) {
        return MAIL.matcher(text).matches();
    }

    private static void require(Optional<String> value, Pattern pattern) {
        if (value.isPresent() && !pattern.matcher(value.get()).matches()) {
            throw new IllegalArgumentException("'" + value.get() + "' does not match " + pattern);
        }
    }
}
