package dev.gavel.gateway.proposal;

import dev.gavel.mcpx.RawPayload;
import dev.gavel.mcpx.text.SafeText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Finds the hidden arguments of a call that a participant which could run the call does not mark as secret. Every
 * participant can list a tool of the same name, and so hide arguments from the reviewers of another participant's calls.
 * A reviewer must therefore know on whose word a value is hidden. Immutable.
 *
 * @param configured the patterns of the configuration, which are not disputed
 * @param hidden all patterns that apply to the call
 * @param schemas what the known schemas of each participant mark as secret
 */
record DisputedSecretFinder(
        SecretArgumentPatterns configured, SecretArgumentPatterns hidden, Map<String, SecretArgumentPatterns> schemas) {
    private static final int MAX_LENGTH = 120;

    DisputedSecretFinder {
        schemas = Map.copyOf(schemas);
    }

    /** The participants that mark an argument as secret, and the possible runners that do not. */
    private record Dispute(List<String> markers, List<String> others) {}

    /**
     * Returns a warning for each group of arguments that the same participants mark as secret.
     *
     * @param payload the call with its secret arguments
     * @param runners the participants that could run the call
     */
    List<String> warnings(RawPayload payload, List<String> runners) {
        Set<String> undisputed = configured.findSecrets(payload);
        Map<String, Set<String>> markedByParticipant = new TreeMap<>();
        schemas.forEach((participant, patterns) -> markedByParticipant.put(participant, patterns.findSecrets(payload)));
        Map<Dispute, List<String>> argumentsByDispute = new LinkedHashMap<>();
        for (String argument : hidden.findSecrets(payload)) {
            List<String> others = runners.stream()
                    .filter(runner ->
                            !markedByParticipant.getOrDefault(runner, Set.of()).contains(argument))
                    .toList();
            if (!others.isEmpty() && !undisputed.contains(argument)) {
                List<String> markers = markedByParticipant.entrySet().stream()
                        .filter(each -> each.getValue().contains(argument))
                        .map(Map.Entry::getKey)
                        .toList();
                argumentsByDispute
                        .computeIfAbsent(new Dispute(markers, others), _ -> new ArrayList<>())
                        .add(argument);
            }
        }
        return argumentsByDispute.entrySet().stream()
                .map(entry -> warning(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static String warning(Dispute dispute, List<String> arguments) {
        String names = SafeText.brief(String.join(", ", arguments), MAX_LENGTH);
        String hiddenBy = dispute.markers().isEmpty()
                ? "an earlier definition of the tool marks it as secret"
                : join(dispute.markers()) + (dispute.markers().size() == 1 ? " marks it" : " mark it") + " as secret";
        return names + " is hidden because " + hiddenBy + ", but " + join(dispute.others())
                + (dispute.others().size() == 1 ? ", which could run the call, does" : ", which could run the call, do")
                + " not: reveal the value before you approve";
    }

    private static String join(List<String> participants) {
        return participants.stream()
                .map(each -> SafeText.brief(each, MAX_LENGTH))
                .collect(Collectors.joining(" and "));
    }
}
