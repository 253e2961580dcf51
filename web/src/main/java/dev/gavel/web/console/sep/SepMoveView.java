package dev.gavel.web.console.sep;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.List;
import java.util.Optional;

/**
 * A possible move of a SEP to another state: its requirements, and whether the user viewing the page may make the move.
 *
 * @param allowedText who may make the move, as text
 * @param youMay whether the reader may make the move
 * @param possible whether the reader can make the move now
 * @param barred why the move cannot be made at all, whatever evidence exists
 */
public record SepMoveView(
        String to,
        String allowedText,
        boolean youMay,
        boolean possible,
        List<RequirementView> requirements,
        Optional<String> barred) {
    public SepMoveView {
        requirements = List.copyOf(requirements);
    }

    /**
     * A requirement of the move.
     *
     * @param acceptedText what would satisfy the requirement, or what has satisfied it
     */
    public record RequirementView(String label, boolean met, String acceptedText) {}

    static SepMoveView of(Json json, SepPageContext sepPageContext) {
        return new SepMoveView(
                json.at("to").text(),
                SafeText.line(json.at("who").text()),
                json.at("youMay").isTrue(),
                json.at("possible").isTrue(),
                json.at("requirements").elements().stream()
                        .map(need -> new RequirementView(
                                EnglishTextFormatter.capitalize(
                                        SafeText.line(need.at("says").text())),
                                need.at("met").isTrue(),
                                RequirementTextFormatter.describe(need, sepPageContext.processDefinition())))
                        .toList(),
                json.at("barred")
                        .asText()
                        .map(SafeText::line)
                        .map(EnglishTextFormatter::capitalize)
                        .map(EnglishTextFormatter::withFullStop));
    }

    /** The number of requirements that are not met. */
    public long missingCount() {
        return requirements.stream()
                .filter(requirementView -> !requirementView.met())
                .count();
    }

    /** Whether the reader can make the move, as a sentence. */
    public String permissionText() {
        if (barred.isPresent()) {
            return barred.get();
        }
        if (!youMay) {
            return "Only " + allowedText + " can make this move.";
        }
        if (possible) {
            return "You can make this move now.";
        }
        return "You can make this move when "
                + (missingCount() == 1 ? "the missing requirement is met." : "all requirements are met.");
    }
}
