package dev.gavel.web.registry;

import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.topic.Topic;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.web.registry.RegistryChange.MemberRemoved;
import dev.gavel.web.registry.RegistryChange.MemberReset;
import dev.gavel.web.registry.RegistryChange.MemberSet;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Applies recorded membership changes to the topics open in this process, and logs every registry change, whichever
 * process made it. Thread-safe.
 */
record RegistryChangeApplier(Function<String, Optional<Topic>> topics) {
    private static final Logger log = LoggerFactory.getLogger(IdentityRegistry.class);

    /**
     * Applies a recorded change to the open topics.
     *
     * @param snapshot the snapshot after the change
     * @param remote whether another process wrote the change
     */
    CompletableFuture<Void> apply(RegistrySnapshot snapshot, LedgerEvent event, boolean remote) {
        RegistryChange change = RegistryChangeCodec.decode(event);
        logChange(snapshot, event, change, remote);
        return topicOf(change)
                .flatMap(topics)
                .map(topic -> apply(snapshot, topic, event.subject()))
                .orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    /** Applies changes that are not recorded yet to the open topics. */
    CompletableFuture<Void> apply(RegistrySnapshot snapshot, String name, List<RegistryChange> changes) {
        return CompletableFuture.allOf(changes.stream()
                .flatMap(change -> topicOf(change).flatMap(topics).stream())
                .map(topic -> apply(snapshot, topic, name))
                .toArray(CompletableFuture[]::new));
    }

    private static CompletableFuture<Void> apply(RegistrySnapshot snapshot, Topic topic, String identity) {
        return updateMember(snapshot, topic, identity)
                .thenCompose(done -> topic.onAccessChanged(Optional.of(identity)))
                .toCompletableFuture();
    }

    /** Applies to the open proposals that identities have no valid token any more, or have one again. */
    CompletableFuture<Void> applyAccess(RegistrySnapshot snapshot, Collection<String> identities) {
        return CompletableFuture.allOf(identities.stream()
                .flatMap(identity -> snapshot.topicsOf(identity).stream()
                        .flatMap(topic -> topics.apply(topic).stream())
                        .map(topic ->
                                topic.onAccessChanged(Optional.of(identity)).toCompletableFuture()))
                .toArray(CompletableFuture[]::new));
    }

    private static void logChange(RegistrySnapshot snapshot, LedgerEvent event, RegistryChange change, boolean remote) {
        LoggingEventBuilder line = log.atInfo()
                .addKeyValue("by", event.actor())
                .addKeyValue("identity", event.subject())
                .addKeyValue("change", event.type());
        LoggingEventBuilder withTopic =
                topicOf(change).map(topic -> line.addKeyValue("topic", topic)).orElse(line);
        tokenOf(change)
                .map(token -> withTopic.addKeyValue("token", token))
                .orElse(withTopic)
                .log(
                        remote ? "{} {} (at another process)." : "{} {}.",
                        quoted(event.actor(), snapshot),
                        change.describe(event.subject()));
    }

    /** Returns an id in quotes, with the display name if there is one. */
    private static String quoted(String id, RegistrySnapshot snapshot) {
        String name = SafeText.line(snapshot.identity(id).name());
        return "'" + id + "'" + (name.equals(id) ? "" : " (" + name + ")");
    }

    private static Optional<String> tokenOf(RegistryChange change) {
        return switch (change) {
            case RegistryChange.TokenCreated(String id, var _, var _) -> Optional.of(id);
            case RegistryChange.TokenRevoked(String id, var _) -> Optional.of(id);
            case MemberSet _, MemberRemoved _, MemberReset _, RegistryChange.RolesSet _ -> Optional.empty();
        };
    }

    private static Optional<String> topicOf(RegistryChange change) {
        return switch (change) {
            case MemberSet(String topic, var _) -> Optional.of(topic);
            case MemberRemoved(String topic) -> Optional.of(topic);
            case MemberReset(String topic) -> Optional.of(topic);
            case RegistryChange.TokenCreated _, RegistryChange.TokenRevoked _, RegistryChange.RolesSet _ ->
                Optional.empty();
        };
    }

    private static CompletionStage<Void> updateMember(RegistrySnapshot snapshot, Topic topic, String name) {
        return snapshot.capabilities(topic.name(), name)
                .map(capabilitySet ->
                        topic.addMember(new Member(name, snapshot.identity(name).name(), capabilitySet)))
                .orElseGet(() -> topic.removeMember(name));
    }
}
