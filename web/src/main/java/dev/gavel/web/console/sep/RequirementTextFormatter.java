package dev.gavel.web.console.sep;

import dev.gavel.lifecycle.process.EvidenceDefinition;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Describes in words which evidence or votes a requirement for moving a SEP still needs, or what has met the
 * requirement. Stateless.
 */
public final class RequirementTextFormatter {
    private static final Pattern TALLY = Pattern.compile(
            "(\\d+) yes, (\\d+) no, (\\d+) abstaining(, open concern of [^;]+)?; (\\d+) voted, (\\d+) needed");

    private RequirementTextFormatter() {}

    /** Describes what would satisfy a requirement of a move, or what has satisfied it. */
    public static String describe(Json requirement, ProcessDefinition processDefinition) {
        String acceptedText = requirement.at("accepts").text();
        List<EvidenceDefinition> kinds = requirement.at("kinds").texts().stream()
                .filter(processDefinition.evidence()::containsKey)
                .map(processDefinition::evidenceKind)
                .toList();
        if (requirement.at("met").isTrue()) {
            // The page marks a requirement as met, so a text that says only that is left out.
            return acceptedText.equals("met") ? "" : SafeText.brief(acceptedText, SepCard.MAX_TITLE_LENGTH);
        }
        if (kinds.isEmpty()) {
            return SafeText.brief(describeTally(acceptedText), SepCard.MAX_TITLE_LENGTH);
        }
        Matcher vote = TALLY.matcher(acceptedText);
        return SafeText.brief(
                (vote.find() ? describeTally(vote.group()) + "; or " : "")
                        + describeKinds(requirement.at("says").text(), kinds, processDefinition),
                SepCard.MAX_TITLE_LENGTH);
    }

    /** Names each kind of evidence, unless there is only one or the requirement's own text already names them all. */
    private static String describeKinds(
            String says, List<EvidenceDefinition> kinds, ProcessDefinition processDefinition) {
        if (kinds.size() == 1 || kinds.stream().allMatch(kind -> says.contains(kind.description()))) {
            return String.join(
                    ", or ",
                    kinds.stream()
                            .map(kind -> describeOrigin(kind, processDefinition))
                            .distinct()
                            .toList());
        }
        return String.join(
                ", or ",
                kinds.stream()
                        .map(kind -> kind.description() + " (" + describeOrigin(kind, processDefinition) + ")")
                        .toList());
    }

    /** Describes how evidence of this kind is given, and who must confirm it. */
    private static String describeOrigin(EvidenceDefinition kind, ProcessDefinition processDefinition) {
        return describeForm(kind)
                + kind.confirmingRole()
                        .map(role -> ", attached first and then confirmed by " + processDefinition.title(role))
                        .orElse("");
    }

    /** Describes how evidence of this kind is given. */
    public static String describeForm(EvidenceDefinition kind) {
        return switch (kind.format()) {
            case LINK -> "a link";
            case TEXT -> "text";
            case DATE -> "a date";
            case DECISION -> "the state for which it decides, a colon and text";
            case TALLY, LOST_TALLY -> "a vote";
        };
    }

    /** Rewrites a tally: first the number of votes needed, then the votes so far. */
    public static String describeTally(String words) {
        return TALLY.matcher(words).replaceAll(found -> {
            long voted = Long.parseLong(found.group(5));
            String concern = found.group(4) == null ? "" : found.group(4);
            String tally = voted == 0
                    ? ""
                    : " (" + found.group(1) + " yes, " + found.group(2) + " no, " + found.group(3) + " abstaining"
                            + concern + ")";
            return Matcher.quoteReplacement(describeNeeded(Long.parseLong(found.group(6)), voted) + tally);
        });
    }

    static String describeNeeded(long needed, long voted) {
        return EnglishTextFormatter.count(needed, "vote", "votes") + " needed, " + (voted == 0 ? "none" : voted)
                + " cast";
    }
}
