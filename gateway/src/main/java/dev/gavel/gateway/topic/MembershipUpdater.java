package dev.gavel.gateway.topic;

import dev.gavel.gateway.delivery.ConnectionCloseReason;
import dev.gavel.gateway.member.IdentityAccessSource;
import dev.gavel.gateway.member.LiveMembership;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.member.MemberRegistry;
import io.netty.util.concurrent.EventExecutor;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Adds and removes members of a running topic and changes what they may send. Thread-safe. */
final class MembershipUpdater {
    /** How long the caller waits until the change has been applied to the open proposals. */
    private static final long MAX_WAIT_MILLIS = 1_000;

    private final MemberRegistry memberRegistry;
    private final EventExecutor loop;
    private final PresenceRegistry presenceRegistry;
    private final Consumer<TopicConnection> removeConnection;
    private final Consumer<Member> announce;
    private final Topic topic;
    private final TopicListener listener;
    private final @Nullable TopicProposals proposals;
    private final InstantSource clock;
    private volatile IdentityAccessSource accessSource = IdentityAccessSource.UNRESTRICTED;

    /** The members that could not sign in when the open proposals were last updated. Used on the loop only. */
    private Set<String> withoutAccess = Set.of();

    /**
     * Creates the updater of a topic.
     *
     * @param removeConnection removes a connection from the topic
     * @param announce announces a member's new capabilities to all participants
     * @param listener is notified of each change
     * @param topicProposals null if the topic has no ledger
     */
    MembershipUpdater(
            MemberRegistry memberRegistry,
            EventExecutor loop,
            PresenceRegistry presenceRegistry,
            Consumer<TopicConnection> removeConnection,
            Consumer<Member> announce,
            Topic topic,
            TopicListener listener,
            @Nullable TopicProposals topicProposals,
            InstantSource clock) {
        this.memberRegistry = memberRegistry;
        this.loop = loop;
        this.presenceRegistry = presenceRegistry;
        this.removeConnection = removeConnection;
        this.announce = announce;
        this.topic = topic;
        this.listener = listener;
        this.proposals = topicProposals;
        this.clock = clock;
    }

    /** Uses this source to find members that cannot sign in from now on. */
    void setAccessSource(IdentityAccessSource identityAccessSource) {
        accessSource = identityAccessSource;
    }

    CompletionStage<Void> addMember(Member member) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        loop.execute(() -> {
            if (!memberRegistry.put(member)) {
                done.complete(null);
                return;
            }
            if (presenceRegistry.isPresent(member.id())) {
                memberRegistry.find(member.id()).ifPresent(presenceRegistry::updateMember);
                announce.accept(member);
            }
            listener.onMemberChanged(topic, member);
            applyToProposals(done);
        });
        return done;
    }

    CompletionStage<Void> removeMember(String id) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        loop.execute(() -> memberRegistry
                .remove(id)
                .ifPresentOrElse(removed -> removeMember(removed, done), () -> done.complete(null)));
        return done;
    }

    /**
     * Applies that an identity, or all of them, lost or got access: withdraws the open proposals of those without
     * access, and updates the reviewers of the other open proposals.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // completes a future that may already be complete
    CompletionStage<Void> onAccessChanged(Optional<String> identity) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        if (proposals == null) {
            done.complete(null);
        } else {
            loop.execute(() -> proposals.withdrawForEndedAccess(identity, () -> {
                if (withoutAccess.equals(findMembersWithoutAccess())) {
                    done.complete(null);
                } else {
                    updateReviewers(done);
                }
            }));
            loop.schedule(() -> done.complete(null), MAX_WAIT_MILLIS, TimeUnit.MILLISECONDS);
        }
        return done;
    }

    private void removeMember(LiveMembership removed, CompletableFuture<Void> done) {
        List<TopicConnection> connections = presenceRegistry.connectionsOf(removed.id());
        connections.forEach(removeConnection);
        listener.onMemberRemoved(topic, removed.member());
        if (proposals != null) {
            proposals.longPolls().remove(removed);
        }
        applyToProposals(done);
        // Last, because closing a connection calls back into the topic, which removes it.
        connections.forEach(connection -> connection.close(ConnectionCloseReason.REVOKED));
    }

    /**
     * Applies the change to the open proposals. The change is already in effect. The caller waits for the proposals
     * too, but only up to the limit if there are many.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // completes a future that may already be complete
    private void applyToProposals(CompletableFuture<Void> done) {
        if (proposals == null) {
            done.complete(null);
        } else {
            updateReviewers(done);
            loop.schedule(() -> done.complete(null), MAX_WAIT_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void updateReviewers(CompletableFuture<Void> done) {
        if (proposals != null) {
            withoutAccess = findMembersWithoutAccess();
            proposals.onMembersChanged(
                    memberRegistry.capabilities().withoutAccessOf(withoutAccess), () -> done.complete(null));
        }
    }

    private Set<String> findMembersWithoutAccess() {
        IdentityAccessSource.AccessSnapshot access = accessSource.current();
        Instant now = clock.instant();
        return memberRegistry.ids().stream()
                .filter(id -> access.accessEndReason(topic.name(), id, now).isPresent())
                .collect(Collectors.toSet());
    }
}
