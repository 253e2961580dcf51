package dev.gavel.cli.proposal;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.cli.RateLimitRetry;
import dev.gavel.cli.ShellQuoting;
import dev.gavel.cli.ShutdownAction;
import dev.gavel.client.connection.Backoff;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.client.http.RemoteGatewayException.Refused;
import dev.gavel.client.http.RemoteGatewayException.Unreachable;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

/**
 * Waits until a proposal has ended, shows its status meanwhile, and keeps waiting if the server restarts. If the server
 * becomes unreachable, this retries until it is back; the ledger has the events missed meanwhile. Used by one thread;
 * only the hint printed at shutdown comes from another.
 */
final class ProposalWaiter {
    /** Also bounds how long a change that no message reports, such as in who is connected, stays unseen. */
    private static final Duration MAX_POLL = Duration.ofSeconds(20);

    private final ClientCommandContext clientCommandContext;
    private final String topic;
    private final String id;
    private final Backoff backoff = new Backoff();
    private volatile String state = "open";
    private String shownStatus = "";
    private boolean serverLost;

    ProposalWaiter(ClientCommandContext clientCommandContext, String topic, String id) {
        this.clientCommandContext = clientCommandContext;
        this.topic = topic;
        this.id = id;
    }

    /** Waits until the proposal has ended, prints the outcome and returns the exit code. */
    int awaitEnd() throws RemoteGatewayException, InterruptedException {
        Json proposal;
        try (ShutdownAction _ = new ShutdownAction(this::printInterruptHint)) {
            proposal = awaitEndedProposal();
        }
        return new ProposalEndPrinter(clientCommandContext.output(), proposal).print();
    }

    private Json awaitEndedProposal() throws RemoteGatewayException, InterruptedException {
        long seq = -1;
        while (true) {
            try {
                // Read the ledger position before the proposal: a change between the two reads is then seen twice
                // instead of never.
                seq = seq < 0
                        ? clientCommandContext.gateway().topic(topic).at("seq").asLong(0)
                        : seq;
                Json proposal = clientCommandContext.gateway().proposal(topic, id);
                showStatus(proposal);
                if (ProposalTextFormatter.isEnded(proposal)) {
                    return proposal;
                }
                seq = awaitChange(proposal, seq);
            } catch (Unreachable e) {
                if (!serverLost) {
                    serverLost = true;
                    clientCommandContext.output().warn(e.getMessage() + "; reconnecting");
                }
                Thread.sleep(backoff.next());
            } catch (Refused e) {
                Thread.sleep(RateLimitRetry.retryDelay(e));
            }
        }
    }

    /**
     * Waits for a message about this proposal, or until the proposal is due to be read again anyway. Returns the new
     * ledger position.
     */
    private long awaitChange(Json proposal, long since) throws RemoteGatewayException, InterruptedException {
        Set<String> relevantIds = new HashSet<>(Set.of(id));
        proposal.at("timeline")
                .elements()
                .forEach(step -> relevantIds.addAll(step.at("envelope").texts()));
        Instant latestDeadline = Instant.now().plus(MAX_POLL);
        Instant deadline = ProposalTextFormatter.parseTime(
                        proposal.at("guidance").at("until"))
                .map(until -> until.plusSeconds(1))
                .filter(latestDeadline::isAfter)
                .orElse(latestDeadline);
        long seq = since;
        while (true) {
            Duration wait = Duration.between(Instant.now(), deadline);
            if (wait.isNegative()) {
                return seq;
            }
            Json response =
                    clientCommandContext.gateway().messagesSince(topic, seq, Duration.ofSeconds(wait.toSeconds() + 1));
            onServerAnswer();
            seq = response.at("seq").asLong(seq);
            for (Json message : response.at("messages").elements()) {
                if (relevantIds.contains(message.at("id").text())
                        || message.at("correlationId").texts().stream().anyMatch(relevantIds::contains)) {
                    return seq;
                }
            }
        }
    }

    private void showStatus(Json proposal) {
        onServerAnswer();
        state = proposal.at("state").text();
        String status = ProposalTextFormatter.status(proposal);
        if (!status.equals(shownStatus) && !ProposalTextFormatter.isEnded(proposal)) {
            shownStatus = status;
            clientCommandContext.output().showStatus(status);
        }
    }

    private void onServerAnswer() {
        backoff.reset();
        if (serverLost) {
            serverLost = false;
            shownStatus = "";
            clientCommandContext.output().warn("reconnected to the server");
        }
    }

    private void printInterruptHint() {
        String command = state.equals("open")
                ? " stays open; withdraw it with: gavel withdraw "
                : " is decided; see its result with: gavel show ";
        clientCommandContext.output().warn(SafeText.line(id) + command + topic + " " + ShellQuoting.quoteOperand(id));
    }
}
