package dev.gavel.gateway.topic;

import dev.gavel.gateway.member.LiveMembership;
import dev.gavel.gateway.member.RevocableAccessGrant;
import dev.gavel.gateway.store.MessageReplayResult;
import dev.gavel.gateway.store.OutgoingProposalMessage;
import dev.gavel.gateway.store.ProposalReader;
import dev.gavel.mcpx.EnvelopeSyntax;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers members' long polls for proposal events, and counts a polling member as present until its polls stop.
 * Confined to the topic's loop, except for {@link #poll}.
 */
@SuppressWarnings("FutureReturnValueIgnored") // scheduled tasks do not fail, and nothing waits for them
final class LongPollHandler {
    /** How long a poller counts as present after the last answer. */
    private static final long POLLER_IDLE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final ProposalReader reader;
    private final EventExecutor loop;
    private final TopicServices services;
    private final PollerListener pollerListener;
    private final LongSupplier publishedSeq;
    private final Set<PendingPoll> waitingPolls = new LinkedHashSet<>();
    private final Map<PollerKey, Poller> pollers = new HashMap<>();
    private boolean draining;

    /** Called when pollers become present or absent. */
    interface PollerListener {
        /** A member polls and becomes present. */
        void onPollerJoined(LiveMembership member);

        /** A member has stopped polling. */
        void onPollerLeft(LiveMembership member);
    }

    /** Identifies a poller by its membership and the grant with which it polls. */
    private record PollerKey(LiveMembership membership, RevocableAccessGrant accessGrant) {}

    LongPollHandler(
            ProposalReader proposalReader,
            EventExecutor loop,
            TopicServices topicServices,
            PollerListener pollerListener,
            LongSupplier publishedSeq) {
        this.reader = proposalReader;
        this.loop = loop;
        this.services = topicServices;
        this.pollerListener = pollerListener;
        this.publishedSeq = publishedSeq;
    }

    /** One poll; its answer is a future that the caller may cancel. */
    private static final class PendingPoll {
        final PollerKey pollerKey;
        final TopicConnection.SubscribeOptions options;
        final EnvelopeSyntax syntax;
        final CompletableFuture<LongPollResult> answer = new CompletableFuture<>();
        long position;
        boolean mayWait;

        @Nullable
        Future<?> timeout;

        PendingPoll(
                PollerKey pollerKey, TopicConnection.SubscribeOptions subscribeOptions, EnvelopeSyntax syntaxVersion) {
            this.pollerKey = pollerKey;
            this.options = subscribeOptions;
            this.syntax = syntaxVersion;
        }

        boolean wants(OutgoingProposalMessage message) {
            String member = pollerKey.membership().id();
            return message.isVisibleTo(member) && (options.mode() == SubscriptionScope.ALL || message.concerns(member));
        }
    }

    /** Polls for messages, and waits up to the given time if there are none. Thread-safe. */
    CompletableFuture<LongPollResult> poll(
            LiveMembership membership,
            RevocableAccessGrant revocableAccessGrant,
            TopicConnection.SubscribeOptions subscribeOptions,
            EnvelopeSyntax syntaxVersion,
            Duration wait) {
        PendingPoll poll =
                new PendingPoll(new PollerKey(membership, revocableAccessGrant), subscribeOptions, syntaxVersion);
        loop.execute(() -> start(poll, wait));
        return poll.answer;
    }

    /** The number of polls that wait for an event. */
    int waitingCount() {
        return waitingPolls.size();
    }

    private void start(PendingPoll poll, Duration wait) {
        if (!poll.pollerKey.accessGrant().isValid()) {
            poll.answer.complete(new LongPollResult.Revoked());
            return;
        }
        if (poll.pollerKey.membership().isEnded()) {
            poll.answer.complete(new LongPollResult.Removed());
            return;
        }
        addPoller(poll);
        poll.position = poll.options.since().orElse(publishedSeq.getAsLong());
        poll.mayWait = wait.isPositive() && !draining;
        if (poll.mayWait) {
            poll.timeout = loop.schedule(() -> onTimeout(poll), wait.toMillis(), TimeUnit.MILLISECONDS);
        }
        poll.answer.whenComplete((answer, failure) -> loop.execute(() -> end(poll)));
        read(poll);
    }

    private void onTimeout(PendingPoll poll) {
        poll.mayWait = false;
        if (waitingPolls.remove(poll)) {
            complete(poll, List.of(), publishedSeq.getAsLong());
        }
    }

    private void read(PendingPoll poll) {
        long from = poll.position;
        services.ioExecutor().execute(poll.pollerKey.membership().id(), () -> {
            if (poll.answer.isDone()) {
                // The caller cancelled the poll meanwhile.
                return;
            }
            try {
                MessageReplayResult messageReplayResult = reader.replayAfter(from);
                loop.execute(() -> onReplayRead(poll, messageReplayResult));
            } catch (RuntimeException e) {
                poll.answer.completeExceptionally(e);
            }
        });
    }

    private void onReplayRead(PendingPoll poll, MessageReplayResult messageReplayResult) {
        if (poll.answer.isDone()) {
            // The caller cancelled the poll meanwhile.
            return;
        }
        switch (messageReplayResult) {
            case MessageReplayResult.Resync resync ->
                complete(
                        poll,
                        List.of(services.systemMessages()
                                .resync(
                                        poll.pollerKey.membership().member(),
                                        resync,
                                        services.clock().instant())
                                .encode(poll.syntax)),
                        resync.last());
            case MessageReplayResult.Messages(List<OutgoingProposalMessage> messages, long upTo) -> {
                List<byte[]> wanted = messages.stream()
                        .filter(poll::wants)
                        .map(message ->
                                message.encodeFor(poll.pollerKey.membership().id(), poll.syntax))
                        .toList();
                boolean nothingNew = upTo == poll.position;
                poll.position = upTo;
                if (!wanted.isEmpty()) {
                    complete(poll, wanted, upTo);
                } else if (!nothingNew || upTo < publishedSeq.getAsLong()) {
                    read(poll);
                } else if (poll.mayWait && !draining) {
                    waitingPolls.add(poll);
                } else {
                    complete(poll, List.of(), upTo);
                }
            }
        }
    }

    private static void complete(PendingPoll poll, List<byte[]> envelopes, long seq) {
        poll.answer.complete(new LongPollResult.Envelopes(envelopes, seq));
    }

    /** Answers the waiting polls that these messages concern. */
    void onMessages(List<OutgoingProposalMessage> messages) {
        if (waitingPolls.isEmpty()) {
            return;
        }
        List<PendingPoll> woken = waitingPolls.stream()
                .filter(poll -> messages.stream().anyMatch(poll::wants))
                .toList();
        woken.forEach(waitingPolls::remove);
        woken.forEach(this::read);
    }

    /** Removes a poll that was answered or cancelled. */
    private void end(PendingPoll poll) {
        waitingPolls.remove(poll);
        if (poll.timeout != null) {
            poll.timeout.cancel(false);
        }
        Poller poller = pollers.get(poll.pollerKey);
        if (poller != null && poller.polls.remove(poll)) {
            poller.lastPollNanos = System.nanoTime();
        }
    }

    private void addPoller(PendingPoll poll) {
        Poller poller = pollers.get(poll.pollerKey);
        if (poller == null) {
            poller = new Poller(poll.pollerKey);
            pollers.put(poll.pollerKey, poller);
            pollerListener.onPollerJoined(poll.pollerKey.membership());
            scheduleExpiry(poller, POLLER_IDLE_NANOS);
            poll.pollerKey.accessGrant().onRevoke(poller.onRevoke);
        }
        poller.polls.add(poll);
    }

    private void scheduleExpiry(Poller poller, long nanos) {
        loop.schedule(() -> expireIfIdle(poller), nanos, TimeUnit.NANOSECONDS);
    }

    /** Removes a poller that has not polled for a while; otherwise schedules the next check. */
    private void expireIfIdle(Poller poller) {
        if (poller.removed) {
            return;
        }
        long remainingNanos = !poller.polls.isEmpty()
                ? POLLER_IDLE_NANOS
                : POLLER_IDLE_NANOS - (System.nanoTime() - poller.lastPollNanos);
        if (remainingNanos > 0) {
            scheduleExpiry(poller, remainingNanos);
        } else {
            removePoller(poller, new LongPollResult.Envelopes(List.of(), publishedSeq.getAsLong()));
        }
    }

    /** Removes the pollers of a member that was removed from the topic, and answers their polls. */
    void remove(LiveMembership membership) {
        List<Poller> removedPollers = pollers.values().stream()
                .filter(poller -> poller.key.membership().equals(membership))
                .toList();
        removedPollers.forEach(poller -> removePoller(poller, new LongPollResult.Removed()));
    }

    /** Removes a poller and answers its pending polls. */
    private void removePoller(Poller poller, LongPollResult answer) {
        if (poller.removed) {
            return;
        }
        poller.removed = true;
        pollers.remove(poller.key);
        poller.key.accessGrant().removeCallback(poller.onRevoke);
        poller.polls.forEach(poll -> poll.answer.complete(answer));
        pollerListener.onPollerLeft(poller.key.membership());
    }

    /** A member that is present because it polls. */
    private final class Poller {
        final PollerKey key;
        final Set<PendingPoll> polls = new LinkedHashSet<>();

        /** When the grant is revoked the poller is removed, whether or not a poll is pending. */
        final Runnable onRevoke;

        long lastPollNanos;
        boolean removed;

        Poller(PollerKey pollerKey) {
            this.key = pollerKey;
            this.onRevoke = this::revoke;
        }

        private void revoke() {
            loop.execute(() -> removePoller(this, new LongPollResult.Revoked()));
        }
    }

    /** Answers all waiting polls, because the process stops. */
    void drain() {
        draining = true;
        List<PendingPoll> all = new ArrayList<>(waitingPolls);
        waitingPolls.clear();
        all.forEach(poll -> complete(poll, List.of(), poll.position));
    }
}
