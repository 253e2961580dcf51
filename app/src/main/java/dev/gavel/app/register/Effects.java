package dev.gavel.app.register;

import dev.gavel.app.register.Change.MemberRemoved;
import dev.gavel.app.register.Change.MemberReset;
import dev.gavel.app.register.Change.MemberSet;
import dev.gavel.gateway.Member;
import dev.gavel.gateway.Topic;
import dev.gavel.ledger.Event;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** What a change means for topics that are open, and for who reads the log. Thread-safe. */
record Effects(Function<String, Optional<Topic>> topics) {
    private static final Logger log = LoggerFactory.getLogger(Registrar.class);

    /**
     * Has a change that is recorded take effect on what is open.
     *
     * @param now how things stand after it
     * @param elsewhere whether another process wrote it
     */
    CompletableFuture<Void> take(Register now, Event event, boolean elsewhere) {
        Change change = Changes.read(event);
        note(event, change, elsewhere);
        return topicOf(change)
                .flatMap(topics)
                .map(topic -> place(now, topic, event.subject()).toCompletableFuture())
                .orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    private static void note(Event event, Change change, boolean elsewhere) {
        LoggingEventBuilder line = log.atInfo()
                .addKeyValue("by", event.actor())
                .addKeyValue("identity", event.subject())
                .addKeyValue("change", event.type());
        LoggingEventBuilder placed =
                topicOf(change).map(topic -> line.addKeyValue("topic", topic)).orElse(line);
        tokenOf(change)
                .map(token -> placed.addKeyValue("token", token))
                .orElse(placed)
                .log(elsewhere ? "{} {}, at another process" : "{} {}", event.actor(), change.told(event.subject()));
    }

    private static Optional<String> tokenOf(Change change) {
        return switch (change) {
            case Change.TokenCreated(String id, var _, var _) -> Optional.of(id);
            case Change.TokenRevoked(String id, var _) -> Optional.of(id);
            case MemberSet _, MemberRemoved _, MemberReset _, Change.RolesSet _ -> Optional.empty();
        };
    }

    private static Optional<String> topicOf(Change change) {
        return switch (change) {
            case MemberSet(String topic, var _) -> Optional.of(topic);
            case MemberRemoved(String topic) -> Optional.of(topic);
            case MemberReset(String topic) -> Optional.of(topic);
            case Change.TokenCreated _, Change.TokenRevoked _, Change.RolesSet _ -> Optional.empty();
        };
    }

    private static CompletionStage<Void> place(Register now, Topic topic, String name) {
        return now.capabilities(topic.name(), name)
                .map(capabilities -> topic.enrol(new Member(name, capabilities)))
                .orElseGet(() -> topic.expel(name));
    }
}
