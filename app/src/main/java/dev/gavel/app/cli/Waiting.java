package dev.gavel.app.cli;

import dev.gavel.client.http.RemoteException;
import dev.gavel.client.http.RemoteException.Refused;
import dev.gavel.client.http.RemoteException.Unreachable;
import dev.gavel.client.link.Backoff;
import dev.gavel.mcpx.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

/**
 * Waits until a proposal has ended, and shows how it stands meanwhile. A server that goes away is waited for too: the
 * ledger remembers what we missed. Used by one thread; only the last words come from another.
 */
final class Waiting {
    /** Also bounds how long a change that no message tells of, such as who is connected, stays unseen. */
    private static final Duration LONGEST_POLL = Duration.ofSeconds(20);

    private final Client client;
    private final String topic;
    private final String id;
    private final Backoff backoff = new Backoff();
    private volatile String state = "open";
    private String shown = "";
    private boolean away;

    Waiting(Client client, String topic, String id) {
        this.client = client;
        this.topic = topic;
        this.id = id;
    }

    /** Waits, reports what came of it, and gives the exit code. */
    int untilEnded() throws RemoteException, InterruptedException {
        Json proposal;
        try (OnInterrupt _ = new OnInterrupt(this::lastWords)) {
            proposal = ended();
        }
        return new Ending(client.screen(), proposal).report();
    }

    private Json ended() throws RemoteException, InterruptedException {
        long seq = -1;
        while (true) {
            try {
                // First how far the ledger is, then the proposal: what comes between is told twice, not never.
                seq = seq < 0 ? client.gateway().topic(topic).at("seq").number(0) : seq;
                Json proposal = client.gateway().proposal(topic, id);
                show(proposal);
                if (ProposalText.ended(proposal)) {
                    return proposal;
                }
                seq = news(proposal, seq);
            } catch (Unreachable e) {
                if (!away) {
                    away = true;
                    client.screen().warn(e.getMessage() + "; trying again until it is back");
                }
                Thread.sleep(backoff.next());
            } catch (Refused e) {
                Thread.sleep(Patience.pause(e));
            }
        }
    }

    /** Waits for something about this proposal, or long enough to look at it again anyway. */
    private long news(Json proposal, long since) throws RemoteException, InterruptedException {
        Set<String> about = new HashSet<>(Set.of(id));
        proposal.at("timeline")
                .elements()
                .forEach(step -> about.addAll(step.at("envelope").texts()));
        Instant enough = Instant.now().plus(LONGEST_POLL);
        Instant due = ProposalText.time(proposal.at("guidance").at("until"))
                .map(until -> until.plusSeconds(1))
                .filter(enough::isAfter)
                .orElse(enough);
        long seq = since;
        while (true) {
            Duration wait = Duration.between(Instant.now(), due);
            if (wait.isNegative()) {
                return seq;
            }
            Json news = client.gateway().since(topic, seq, Duration.ofSeconds(wait.toSeconds() + 1));
            back();
            seq = news.at("seq").number(seq);
            for (Json message : news.at("messages").elements()) {
                if (about.contains(message.at("id").text())
                        || message.at("correlationId").texts().stream().anyMatch(about::contains)) {
                    return seq;
                }
            }
        }
    }

    private void show(Json proposal) {
        back();
        state = proposal.at("state").text();
        String status = ProposalText.status(proposal);
        if (!status.equals(shown) && !ProposalText.ended(proposal)) {
            shown = status;
            client.screen().status(status);
        }
    }

    private void back() {
        backoff.reset();
        if (away) {
            away = false;
            shown = "";
            client.screen().warn("the server is back");
        }
    }

    private void lastWords() {
        String command = state.equals("open")
                ? " stays open; withdraw it with: gavel withdraw "
                : " goes on without you; see it with: gavel show ";
        client.screen().warn(id + command + topic + " " + id);
    }
}
