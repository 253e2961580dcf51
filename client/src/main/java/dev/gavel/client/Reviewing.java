package dev.gavel.client;

import dev.gavel.client.http.ProposalQuery;
import dev.gavel.client.http.RemoteException;
import dev.gavel.client.http.RemoteGateway;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.KindRule;
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
 * Shows a reviewer every open proposal it may decide, once, and sends what it decides. Proposals that are open already
 * are listed; new ones are heard. Thread-safe.
 */
final class Reviewing {
    private static final System.Logger log = System.getLogger("dev.gavel.client");
    private static final int AT_ONCE = 64;
    private static final int MOST = 10_000;
    private static final int PAGE = 100;

    private final Participant participant;
    private final Reviewer reviewer;
    private final RemoteGateway gateway;
    private final Executor executor;
    private final Lookups lookups;
    private final Mailbox<String> closed;
    private final Semaphore places = new Semaphore(AT_ONCE);

    /** Open as far as we know: those that were shown, and those that are still to be looked at. */
    private final Set<String> shown = new HashSet<>();

    private final Set<String> toShow = new HashSet<>();
    private boolean more;
    private boolean listing;
    private boolean over;

    Reviewing(Participant participant, Reviewer reviewer, RemoteGateway gateway, Executor executor) {
        this.participant = participant;
        this.reviewer = reviewer;
        this.gateway = gateway;
        this.executor = executor;
        this.lookups = new Lookups(gateway, participant.topic(), executor, this::found);
        this.closed = new Mailbox<>(executor, reviewer::closed, MOST);
    }

    /** Looks for what is open now. */
    synchronized void list() {
        if (!listing && !over) {
            listing = true;
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
                cursor = page.at("cursor").ifText();
            } while (cursor.isPresent() && open.size() < MOST);
        } catch (RemoteException e) {
            log.log(System.Logger.Level.WARNING, "open proposals cannot be listed: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            listing = false;
            // Newest first; the oldest have waited longest.
            open.reversed().forEach(this::consider);
        }
    }

    private Json page(Optional<String> cursor) throws RemoteException, InterruptedException {
        ProposalQuery query = new ProposalQuery(Optional.of("open"), Optional.empty(), cursor, PAGE);
        return Asking.until(() -> gateway.proposals(participant.topic(), query), this::isOver);
    }

    private synchronized boolean isOver() {
        return over;
    }

    private void consider(String id) {
        if (shown.contains(id) || toShow.contains(id)) {
            return;
        }
        if (shown.size() + toShow.size() >= MOST) {
            more = true;
            return;
        }
        toShow.add(id);
        lookups.now(id);
    }

    synchronized void hear(Envelope envelope) {
        if (envelope.rule() == KindRule.PROPOSAL) {
            consider(envelope.id());
        } else if (mayEnd(envelope)) {
            envelope.correlationIds().stream()
                    .filter(id -> shown.contains(id) || toShow.contains(id))
                    .forEach(this::forget);
        }
    }

    private static boolean mayEnd(Envelope envelope) {
        return switch (envelope.rule()) {
            case WITHDRAW, REQUEST -> true;
            case SYSTEM -> {
                String kind = envelope.kind().toString();
                yield kind.equals("system.proposal.expired") || kind.equals("system.proposal.rejected");
            }
            case PROPOSAL, RESPONSE, REJECT, STATUS, CHAT, OTHER -> false;
        };
    }

    private void forget(String id) {
        toShow.remove(id);
        if (shown.remove(id)) {
            closed.offer(id);
        }
        if (more && shown.size() + toShow.size() < MOST / 2) {
            more = false;
            list();
        }
    }

    /** What happened is not all known: everything is looked at again. */
    synchronized void resync() {
        shown.forEach(lookups::now);
        list();
    }

    private void found(String id, Optional<Json> view) {
        Optional<Proposal> proposal = view.map(Proposal::of).filter(Proposal::isOpen);
        synchronized (this) {
            if (proposal.isEmpty()) {
                forget(id);
                return;
            }
            boolean own = proposal.get().from().equals(participant.id());
            if (!toShow.remove(id) || own || !proposal.get().mayDecide()) {
                return;
            }
            shown.add(id);
        }
        executor.execute(() -> show(proposal.get()));
    }

    private void show(Proposal proposal) {
        try {
            places.acquire();
            try {
                Decision decision = reviewer.review(proposal);
                if (!(decision instanceof Decision.Leave)) {
                    decide(proposal, decision);
                }
            } finally {
                places.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            log.log(System.Logger.Level.WARNING, "the reviewer failed at " + proposal.id(), e);
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

    synchronized void over() {
        over = true;
        lookups.close();
    }
}
