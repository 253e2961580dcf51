package dev.gavel.faults.chaos;

import dev.gavel.faults.chaos.GatewayConnectionTrace.ChatMessage;
import dev.gavel.faults.cluster.GuaranteeViolation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Checks that each gateway process sent chat messages in one sequence, by comparing what it sent on its connections.
 * Used by one thread, after the run has settled.
 *
 * <ul>
 *   <li>A gateway sends a chat message at most once to a participant, over all connections of the participant.
 *   <li>All connections of a gateway have the same order, and so have all connections of a participant together.
 *   <li>Between two messages that a gateway sends on a connection, it sends there everything that it sends between them
 *       on its other connections. The exceptions: the participant's own messages, and connections in directed mode.
 *   <li>A participant receives only chat messages that a gateway sent to it.
 * </ul>
 *
 * <p>A participant that moves to another gateway may therefore get a message there that it got before only if the second
 * gateway itself received the message after the participant had connected: otherwise the message would be in the wrong
 * place of the gateway's sequence.
 */
final class ChatSequenceChecker {
    private final List<GatewayConnectionTrace> traces;
    private final List<ParticipantRunRecord> runRecords;
    private final ViolationEvidenceFinder evidenceFinder;
    private final List<GuaranteeViolation> violations = new ArrayList<>();

    ChatSequenceChecker(
            List<GatewayConnectionTrace> traces,
            List<ParticipantRunRecord> runRecords,
            ViolationEvidenceFinder evidenceFinder) {
        this.traces = traces;
        this.runRecords = runRecords;
        this.evidenceFinder = evidenceFinder;
    }

    List<GuaranteeViolation> check() {
        Map<String, List<GatewayConnectionTrace>> byProcess = new LinkedHashMap<>();
        for (GatewayConnectionTrace trace : traces) {
            byProcess
                    .computeIfAbsent(trace.process(), process -> new ArrayList<>())
                    .add(trace);
        }
        byProcess.forEach(this::checkProcess);
        runRecords.forEach(each -> checkRecorded(each.journal()));
        return violations;
    }

    /** Checks that a gateway sent what the participant received: otherwise the other checks would check nothing. */
    private void checkRecorded(ParticipantJournal journal) {
        Set<String> sent = new HashSet<>();
        traces.stream()
                .filter(trace -> trace.participant().equals(journal.name()))
                .forEach(trace -> trace.sent().forEach(message -> sent.add(message.id())));
        journal.received().stream()
                .map(ParticipantJournal.ReceivedEntry::envelope)
                .filter(envelope -> GatewayConnectionTrace.isChat(envelope) && !sent.contains(envelope.id()))
                .findFirst()
                .ifPresent(envelope -> addViolation(
                        journal.name() + " received " + envelope.id() + ", but no gateway sent it there",
                        envelope.id()));
    }

    private void checkProcess(String process, List<GatewayConnectionTrace> connections) {
        Map<String, List<ChatMessage>> byParticipant = new LinkedHashMap<>();
        for (GatewayConnectionTrace connection : connections) {
            byParticipant
                    .computeIfAbsent(connection.participant(), name -> new ArrayList<>())
                    .addAll(connection.sent());
        }
        byParticipant.forEach((participant, sent) -> checkOnce(process, participant, sent));
        List<String> participants = List.copyOf(byParticipant.keySet());
        byParticipant.forEach((participant, sent) -> {
            Map<String, Integer> positions = positions(sent);
            for (String other : participants.subList(0, participants.indexOf(participant))) {
                checkOrder(process, participant, positions, other, byParticipant.getOrDefault(other, List.of()));
            }
        });
        for (GatewayConnectionTrace connection : connections) {
            if (!connection.isDirected()) {
                connections.stream()
                        .filter(other -> other != connection)
                        .map(other -> findSkipped(connection, other))
                        .flatMap(Optional::stream)
                        .findFirst()
                        .ifPresent(skipped -> addViolation(
                                process + " did not send " + skipped + " on " + connection
                                        + ", but sent messages from before and after it",
                                skipped));
            }
        }
    }

    private void addViolation(String what, String... ids) {
        violations.add(new GuaranteeViolation(what, evidenceFinder.find(ids)));
    }

    private void checkOnce(String process, String participant, List<ChatMessage> sent) {
        Set<String> seen = new HashSet<>();
        for (ChatMessage message : sent) {
            if (!seen.add(message.id())) {
                addViolation(process + " sent " + message.id() + " twice to " + participant, message.id());
                return;
            }
        }
    }

    private void checkOrder(
            String process,
            String participant,
            Map<String, Integer> positions,
            String other,
            List<ChatMessage> sentToOther) {
        int last = -1;
        String before = "";
        for (ChatMessage message : sentToOther) {
            Integer position = positions.get(message.id());
            if (position == null) {
                continue;
            }
            if (position < last) {
                addViolation(
                        process + " sent " + before + " before " + message.id() + " to " + other + ", but after it to "
                                + participant,
                        before,
                        message.id());
                return;
            }
            last = position;
            before = message.id();
        }
    }

    /** Returns a message that was sent on another connection between two of this connection, but not on this one. */
    private static Optional<String> findSkipped(GatewayConnectionTrace connection, GatewayConnectionTrace other) {
        Map<String, Integer> positions = positions(connection.sent());
        Optional<String> missing = Optional.empty();
        boolean began = false;
        for (ChatMessage message : other.sent()) {
            if (positions.containsKey(message.id())) {
                if (missing.isPresent()) {
                    return missing;
                }
                began = true;
            } else if (began && missing.isEmpty() && !message.from().equals(connection.participant())) {
                missing = Optional.of(message.id());
            }
        }
        return Optional.empty();
    }

    private static Map<String, Integer> positions(List<ChatMessage> sent) {
        Map<String, Integer> positions = new HashMap<>();
        for (int i = 0; i < sent.size(); i++) {
            positions.putIfAbsent(sent.get(i).id(), i);
        }
        return positions;
    }
}
