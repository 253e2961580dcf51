package dev.gavel.client;

import dev.gavel.client.http.ProposalQuery;
import dev.gavel.client.http.RemoteGateway;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.KindCategory;
import dev.gavel.mcpx.json.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;

/**
 * Passes each open proposal that a participant may decide to the application's reviewer callback once, and sends the
 * resulting decisions to the gateway. It lists the proposals that are already open, and receives new ones as envelopes.
 * Thread-safe.
 */
final class ReviewDispatcher {
    private static final System.Logger log = System.getLogger("dev.gavel.client");
    private static final int MAX_CONCURRENT = 64;
    private static final int MAX_OPEN = 10_000;
    private static final int PAGE = 100;

    private final Participant participant;
    private final Reviewer reviewer;
    private final RemoteGateway gateway;
    private final Executor executor;
    private final ProposalLookups lookups;
    private final CallbackQueue<String> closedNotifications;
    private final Semaphore permits = new Semaphore(MAX_CONCURRENT);

    /** The open proposals that the reviewer was shown; {@link #idsToShow} has those that are still to be read. */
    private final Set<String> shownIds = new HashSet<>();

    private final Set<String> idsToShow = new HashSet<>();
    private boolean moreOpen;
    private boolean listRunning;
    private boolean stopped;

    ReviewDispatcher(Participant participant, Reviewer reviewer, RemoteGateway gateway, Executor executor) {
        this.participant = participant;
        this.reviewer = reviewer;
        this.gateway = gateway;
        this.executor = executor;
        this.lookups = new ProposalLookups(gateway, participant.topic(), executor, this::onLookupResult);
        this.closedNotifications = new CallbackQueue<>(executor, reviewer::closed, MAX_OPEN);
    }

    /** Lists the proposals that are open now. */
    synchronized void listOpen() {
        if (!listRunning && !stopped) {
            listRunning = true;
            executor.execute(this::listAll);
        }
    }

    private void listAll() {
        List<String> open = new ArrayList<>();
        try {
            Optional<String> cursor = Optional.empty();
            do {
                Json page = page(cursor);
                page.at("proposals")
                        .elements()
                        .forEach(each -> open.add(each.at("id").text()));
                cursor = page.at("cursor").asText();
            } while (cursor.isPresent() && open.size() < MAX_OPEN);
        } catch (RemoteGatewayException e) {
            log.log(System.Logger.Level.WARNING, "The open proposals cannot be listed: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            listRunning = false;
            // The list is newest first, but the oldest have waited longest.
            open.reversed().forEach(this::lookupIfNew);
        }
    }

    private Json page(Optional<String> cursor) throws RemoteGatewayException, InterruptedException {
        ProposalQuery query = new ProposalQuery(Optional.of("open"), Optional.empty(), cursor, PAGE);
        return GatewayRetry.retryUntil(() -> gateway.proposals(participant.topic(), query), this::isStopped);
    }

    private synchronized boolean isStopped() {
        return stopped;
    }

    private void lookupIfNew(String id) {
        if (shownIds.contains(id) || idsToShow.contains(id)) {
            return;
        }
        if (shownIds.size() + idsToShow.size() >= MAX_OPEN) {
            moreOpen = true;
            return;
        }
        idsToShow.add(id);
        lookups.lookupNow(id);
    }

    synchronized void onEnvelope(Envelope envelope) {
        if (envelope.category() == KindCategory.PROPOSAL) {
            lookupIfNew(envelope.id());
        } else if (envelope.kind().toString().equals("system.proposal.approval_dropped")) {
            // A held approval cannot take effect, so the proposal must be decided again.
            envelope.correlationIds().forEach(this::lookupIfNew);
        } else if (mayCloseProposal(envelope)) {
            envelope.correlationIds().stream()
                    .filter(id -> shownIds.contains(id) || idsToShow.contains(id))
                    .forEach(this::onClosed);
        }
    }

    private static boolean mayCloseProposal(Envelope envelope) {
        return switch (envelope.category()) {
            case WITHDRAW, REQUEST -> true;
            case SYSTEM -> {
                String kind = envelope.kind().toString();
                yield kind.equals("system.proposal.expired")
                        || kind.equals("system.proposal.withdrawn")
                        || kind.equals("system.proposal.approval_held")
                        || kind.equals("system.proposal.rejected");
            }
            case PROPOSAL, RESPONSE, REJECT, STATUS, CHAT, OTHER -> false;
        };
    }

    private void onClosed(String id) {
        idsToShow.remove(id);
        if (shownIds.remove(id)) {
            closedNotifications.offer(id);
        }
        if (moreOpen && shownIds.size() + idsToShow.size() < MAX_OPEN / 2) {
            moreOpen = false;
            listOpen();
        }
    }

    /** Looks up all shown proposals and lists the open ones again, since some events were missed. */
    synchronized void refresh() {
        shownIds.forEach(lookups::lookupNow);
        listOpen();
    }

    private void onLookupResult(String id, Optional<Json> view) {
        Optional<Proposal> proposal = view.map(Proposal::of).filter(Proposal::isOpen);
        synchronized (this) {
            if (proposal.isEmpty()) {
                onClosed(id);
                return;
            }
            boolean ownProposal = proposal.get().from().equals(participant.id());
            if (!idsToShow.remove(id) || ownProposal || !proposal.get().mayDecide()) {
                return;
            }
            shownIds.add(id);
        }
        executor.execute(() -> reviewProposal(proposal.get()));
    }

    private void reviewProposal(Proposal proposal) {
        try {
            permits.acquire();
            try {
                Decision decision = reviewer.review(proposal);
                if (!(decision instanceof Decision.Leave)) {
                    decide(proposal, decision);
                }
            } finally {
                permits.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            log.log(System.Logger.Level.WARNING, "The reviewer failed on proposal " + proposal.id() + ".", e);
        }
    }

    private void decide(Proposal proposal, Decision decision) throws InterruptedException {
        try {
            participant.decide(proposal, decision).get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof GavelException.Refused refused) {
                reviewer.notTaken(proposal, decision, refused.problem());
            }
        }
    }

    synchronized void stop() {
        stopped = true;
        lookups.close();
    }
}
