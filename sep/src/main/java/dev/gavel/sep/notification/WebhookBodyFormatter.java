package dev.gavel.sep.notification;

import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.RoleGroup;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Formats a notification as the JSON body that Discord, Slack or a program expects. Titles and questions are untrusted
 * input: they mention no users, apply no formatting, and are cut to the receiver's limit. Stateless.
 */
final class WebhookBodyFormatter {
    /** The maximum number of characters that Discord accepts. */
    static final int MAX_DISCORD = 2_000;

    /** The maximum number of characters posted to Slack, which cuts long texts itself. */
    static final int MAX_SLACK = 3_000;

    /**
     * Matches an address, which stays unchanged so that it keeps its target, or a character that is markup in Discord.
     */
    private static final Pattern MARKDOWN = Pattern.compile("https?://[^\\s<]+|[\\\\*_~`|>#\\[\\]<@]");

    /** The same for Slack, which has no escape character; a preceding zero-width space takes its place. */
    private static final Pattern SLACK_MARKUP = Pattern.compile("https?://[^\\s<]+|[*_~`]");

    private static final String ZERO_WIDTH_SPACE = "\u200B";

    private static final int MAX_TITLE = 300;
    private static final int MAX_RECIPIENTS = 300;
    private static final int MAX_MENTIONS = 20;
    private static final int MAX_TEXT = 32_000;

    private WebhookBodyFormatter() {}

    static Json discord(SepNotification sepNotification, Map<Person, Contact> contacts) {
        List<String> ids = mentionedIds(sepNotification, contacts, Contact::discord);
        String content = message(sepNotification, WebhookBodyFormatter::escapeMarkdown, "**", ids, MAX_DISCORD);
        return Json.write(json -> {
            json.writeStartObject().writeStringProperty("content", content);
            json.writeObjectPropertyStart("allowed_mentions");
            json.writeArrayPropertyStart("parse").writeEndArray();
            if (!ids.isEmpty()) {
                json.writeArrayPropertyStart("users");
                ids.forEach(json::writeString);
                json.writeEndArray();
            }
            json.writeEndObject();
            json.writeEndObject();
        });
    }

    static Json slack(SepNotification sepNotification, Map<Person, Contact> contacts) {
        String text = message(
                sepNotification,
                WebhookBodyFormatter::escapeSlack,
                "*",
                mentionedIds(sepNotification, contacts, Contact::slack),
                MAX_SLACK);
        return Json.write(json -> json.writeStartObject()
                .writeStringProperty("text", text)
                .writeBooleanProperty("unfurl_links", false)
                .writeEndObject());
    }

    static Json json(long seq, SepNotification sepNotification) {
        return Json.write(json -> {
            json.writeStartObject().writeNumberProperty("seq", seq);
            if (sepNotification.kind() != SepNotification.Kind.DIGEST) {
                json.writeNumberProperty("number", sepNotification.number())
                        .writeStringProperty("label", sepNotification.label());
            }
            json.writeStringProperty("title", cut(line(sepNotification.title()), MAX_TITLE))
                    .writeStringProperty("kind", sepNotification.kind().wireName());
            json.writeArrayPropertyStart("whom");
            sepNotification.recipients().stream().limit(100).forEach(personOrGroup -> {
                json.writeStartObject();
                json.writeStringProperty(
                        personOrGroup instanceof RoleGroup ? "role" : "person",
                        cut(personOrGroup.toString(), MAX_RECIPIENTS));
                json.writeEndObject();
            });
            json.writeEndArray()
                    .writeStringProperty("text", cut(sepNotification.text(), MAX_TEXT))
                    .writeStringProperty("at", sepNotification.at().toString());
            sepNotification.link().ifPresent(link -> json.writeStringProperty("link", link.toString()));
            json.writeEndObject();
        });
    }

    /**
     * Returns the ids of the people to mention. A digest mentions no one, because it goes to everyone with a role and
     * asks no one in particular.
     */
    private static List<String> mentionedIds(
            SepNotification sepNotification,
            Map<Person, Contact> contacts,
            Function<? super Contact, Optional<String>> id) {
        return sepNotification.kind() == SepNotification.Kind.DIGEST
                ? List.of()
                : sepNotification.people().stream()
                        .flatMap(person -> Optional.ofNullable(contacts.get(person)).flatMap(id).stream())
                        .distinct()
                        .limit(MAX_MENTIONS)
                        .toList();
    }

    /** Returns heading, recipients, mentions, text and link. If the message is too long, the text is cut. */
    private static String message(
            SepNotification sepNotification,
            UnaryOperator<String> safe,
            String bold,
            List<String> mentionedIds,
            int most) {
        String head = bold + safe.apply(cut(visibleLine(sepNotification.heading()), MAX_TITLE)) + bold + " ("
                + sepNotification.kind().wireName() + " for "
                + safe.apply(cut(visibleLine(sepNotification.recipientNames()), MAX_RECIPIENTS)) + ")"
                + mentionedIds.stream().map(id -> " <@" + id + ">").collect(Collectors.joining())
                + "\n";
        String tail = sepNotification
                .link()
                .map(link -> "\n<" + link.toASCIIString() + ">")
                .filter(line -> line.length() < most / 4)
                .orElse("");
        String text = visibleLine(sepNotification.text());
        int room = most - head.length() - tail.length();
        String shown = safe.apply(text);
        for (int length = Math.min(text.length(), room); shown.length() > room; length = length * 3 / 4) {
            shown = safe.apply(cut(text, length));
        }
        return head + shown + tail;
    }

    /** Cuts a text to a number of characters and ends it with an ellipsis. Surrogate pairs are not split. */
    static String cut(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        int end = Math.max(0, most - 1);
        if (end > 0 && Character.isHighSurrogate(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(0, end) + "…";
    }

    /** Joins a text to one line, because a line break could make its end look like a separate message. */
    private static String line(String text) {
        return text.replaceAll("[\\s\\p{Cntrl}]+", " ").strip();
    }

    /** Joins a text to one line in which hidden characters are visible escapes, for people to read. */
    private static String visibleLine(String text) {
        return SafeText.line(line(text));
    }

    private static String escapeMarkdown(String text) {
        return MARKDOWN.matcher(text)
                .replaceAll(found ->
                        Matcher.quoteReplacement(found.group().length() > 1 ? found.group() : "\\" + found.group()));
    }

    private static String escapeSlack(String text) {
        return SLACK_MARKUP
                .matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(
                        found.group().length() > 1 ? found.group() : ZERO_WIDTH_SPACE + found.group()))
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;");
    }
}
