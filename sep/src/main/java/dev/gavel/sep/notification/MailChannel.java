package dev.gavel.sep.notification;

import dev.gavel.lifecycle.actor.Person;
import dev.gavel.mcpx.text.SafeText;
import jakarta.mail.AuthenticationFailedException;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Date;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Properties;
import org.eclipse.angus.mail.smtp.SMTPAddressFailedException;
import org.eclipse.angus.mail.smtp.SMTPSendFailedException;

/**
 * Sends the notifications of one person as plain-text mail. Titles and texts are untrusted input: they cannot add
 * headers or recipients. Thread-safe.
 */
public final class MailChannel implements NotificationChannel {
    private static final int MAX_SUBJECT = 200;
    private static final int MAX_TEXT = 200_000;

    private final MailSettings settings;
    private final Person person;
    private final String address;
    private final Session session;

    /**
     * Creates a channel.
     *
     * @param address the mail address of the person; {@link Contact#isMailAddress} accepts it
     * @param responseTimeout the time limit for each answer of the mail server
     */
    public MailChannel(MailSettings settings, Person person, String address, Duration responseTimeout) {
        this.settings = settings;
        this.person = person;
        this.address = address;
        this.session = Session.getInstance(properties(settings, responseTimeout));
    }

    private static Properties properties(MailSettings settings, Duration responseTimeout) {
        String prefix = "mail." + protocol(settings) + ".";
        String timeout = Long.toString(responseTimeout.toMillis());
        Properties properties = new Properties();
        properties.setProperty(prefix + "host", settings.host());
        properties.setProperty(prefix + "port", Integer.toString(settings.port()));
        properties.setProperty(prefix + "connectiontimeout", timeout);
        properties.setProperty(prefix + "timeout", timeout);
        properties.setProperty(prefix + "writetimeout", timeout);
        properties.setProperty(
                prefix + "auth", Boolean.toString(settings.login().isPresent()));
        properties.setProperty(prefix + "ssl.checkserveridentity", "true");
        if (!settings.hasImplicitTls()) {
            properties.setProperty(prefix + "starttls.enable", Boolean.toString(!settings.isLoopback()));
            properties.setProperty(prefix + "starttls.required", Boolean.toString(!settings.isLoopback()));
        }
        return properties;
    }

    private static String protocol(MailSettings settings) {
        return settings.hasImplicitTls() ? "smtps" : "smtp";
    }

    /** Returns a digest, so that the ledger does not contain the address. */
    @Override
    public String id() {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest((person.login() + " " + address).getBytes(StandardCharsets.UTF_8));
            return "mail-" + HexFormat.of().formatHex(digest, 0, 12);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    @Override
    public boolean accepts(SepNotification sepNotification) {
        return sepNotification.people().contains(person);
    }

    @Override
    public DeliveryResult deliver(long seq, SepNotification sepNotification) {
        try (Transport transport = session.getTransport(protocol(settings))) {
            MimeMessage message = message(sepNotification);
            if (settings.login().isPresent()) {
                MailSettings.Login login = settings.login().get();
                transport.connect(login.user(), login.password());
            } else {
                transport.connect();
            }
            transport.sendMessage(message, message.getAllRecipients());
            return new DeliveryResult.Accepted();
        } catch (MessagingException e) {
            return toResult(e);
        }
    }

    private MimeMessage message(SepNotification sepNotification) throws MessagingException {
        MimeMessage message = new MimeMessage(session);
        message.setFrom(new InternetAddress(settings.from(), true));
        message.setRecipient(Message.RecipientType.TO, new InternetAddress(address, true));
        // A subject is one line, so that no text can add a header.
        message.setSubject(
                WebhookBodyFormatter.cut(
                                SafeText.line(sepNotification.heading().replaceAll("[\\s\\p{Cntrl}]+", " ")),
                                MAX_SUBJECT)
                        + " (" + sepNotification.kind().wireName() + ")",
                StandardCharsets.UTF_8.name());
        message.setSentDate(Date.from(sepNotification.at()));
        message.setHeader("Auto-Submitted", "auto-generated");
        message.setText(text(sepNotification), StandardCharsets.UTF_8.name());
        return message;
    }

    private static String text(SepNotification sepNotification) {
        return WebhookBodyFormatter.cut(SafeText.lines(sepNotification.text()), MAX_TEXT)
                + sepNotification
                        .link()
                        .map(link -> "\n\n" + link.toASCIIString())
                        .orElse("") + "\n";
    }

    /** Maps a failure. Its message is not shown, because it can contain the address. */
    private static DeliveryResult toResult(MessagingException failure) {
        for (Exception cause = failure; cause instanceof MessagingException next; cause = next.getNextException()) {
            int code = switch (cause) {
                case SMTPAddressFailedException refused -> refused.getReturnCode();
                case SMTPSendFailedException refused -> refused.getReturnCode();
                default -> 0;
            };
            if (code / 100 == 5) {
                return new DeliveryResult.Rejected("the mail server answered " + code);
            }
        }
        String reason = failure instanceof AuthenticationFailedException
                ? "the mail server does not accept the user and the password"
                : failure.getClass().getSimpleName();
        return new DeliveryResult.RetryLater(reason, Optional.empty());
    }

    @Override
    public void close() {
        // Each message has a connection of its own.
    }

    @Override
    public String toString() {
        return "mail to " + person;
    }
}
