package dev.gavel.app.config;

import dev.gavel.cli.SecretValueResolver;
import dev.gavel.mcpx.ValueParseResult;
import dev.gavel.sep.notification.Contact;
import dev.gavel.sep.notification.MailSettings;
import dev.gavel.yaml.ProblemCollector;
import dev.gavel.yaml.YamlMappingReader;
import java.net.URI;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads how notifications reach people: the keys {@code mentions} and {@code mail} of an identity, and the mail server.
 * Stateless.
 */
final class ContactConfigReader {
    private ContactConfigReader() {}

    /** Reads the keys of an identity; empty if the identity has none of them. */
    static Optional<Contact> readContact(YamlMappingReader identity) {
        Optional<String> mail =
                accepted(identity, "mail", "a mail address such as ada@example.org", Contact::isMailAddress);
        Optional<YamlMappingReader> mentions = identity.mapping("mentions");
        Optional<String> discord = mentions.flatMap(reader -> accepted(
                reader,
                "discord",
                "a Discord user id in quotes, such as \"175928847299117063\"",
                Contact::isDiscordId));
        Optional<String> slack = mentions.flatMap(
                reader -> accepted(reader, "slack", "a Slack member id such as U024BE7LH", Contact::isSlackId));
        mentions.ifPresent(YamlMappingReader::reportUnknownKeys);
        return mail.isEmpty() && discord.isEmpty() && slack.isEmpty()
                ? Optional.empty()
                : Optional.of(new Contact(discord, slack, mail));
    }

    private static Optional<String> accepted(
            YamlMappingReader reader, String key, String expected, Predicate<String> isAccepted) {
        return reader.parse(key, expected, text -> isAccepted.test(text) ? Optional.of(text) : Optional.empty());
    }

    /** Reads the mail server of the section {@code sep}; empty if the server sends no mail. */
    static Optional<MailSettings> readMail(
            YamlMappingReader sep, Function<String, @Nullable String> environment, ProblemCollector problemCollector) {
        return sep.mapping("mail").flatMap(reader -> {
            Optional<URI> smtp = reader.requiredString("smtp").flatMap(text -> smtp(reader, text, problemCollector));
            reader.requiredNode("from");
            Optional<String> from =
                    accepted(reader, "from", "a mail address such as gavel@example.org", Contact::isMailAddress);
            Optional<String> user = reader.string("user");
            Optional<String> password = reader.string("password").flatMap(text -> switch (SecretValueResolver.resolve(
                    text, environment)) {
                case ValueParseResult.Valid<String>(String value) -> Optional.of(value);
                case ValueParseResult.Invalid<String>(String problem) -> {
                    problemCollector.add(reader.position("password"), problem);
                    yield Optional.empty();
                }
            });
            if (reader.string("user").isPresent() != reader.string("password").isPresent()) {
                problemCollector.add(reader.position(), "'user' and 'password' are needed together");
            }
            reader.reportUnknownKeys();
            return smtp.flatMap(address -> from.map(sender -> new MailSettings(
                    address, sender, user.flatMap(name -> password.map(word -> new MailSettings.Login(name, word))))));
        });
    }

    private static Optional<URI> smtp(YamlMappingReader reader, String text, ProblemCollector problemCollector) {
        Optional<String> problem;
        try {
            URI smtp = URI.create(text.strip());
            problem = MailSettings.validate(smtp);
            if (problem.isEmpty()) {
                return Optional.of(smtp);
            }
        } catch (IllegalArgumentException e) {
            problem = Optional.of("the address of a mail server must be a URL such as smtps://mail.example.org:465");
        }
        problemCollector.add(reader.position("smtp"), problem.orElseThrow());
        return Optional.empty();
    }
}
