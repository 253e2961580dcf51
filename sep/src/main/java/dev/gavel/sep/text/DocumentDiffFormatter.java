package dev.gavel.sep.text;

import dev.gavel.mcpx.json.Json;
import java.util.ArrayList;
import java.util.List;

/** Formats the difference between two versions of a SEP's document as text. Stateless. */
final class DocumentDiffFormatter {
    private DocumentDiffFormatter() {}

    /** Returns the changed parts, each with its removed and added lines. */
    static List<String> format(Json diff) {
        List<String> lines = new ArrayList<>();
        lines.add(ResultFieldFormatter.numberAndTitle(diff, ProposalTermsReader.read(diff)));
        if (diff.at("from").text().equals(diff.at("to").text())) {
            lines.add("The document " + ResultFieldFormatter.shortHash(diff.at("to")) + " is unchanged.");
            return lines;
        }
        lines.add("from " + ResultFieldFormatter.shortHash(diff.at("from")) + " to "
                + ResultFieldFormatter.shortHash(diff.at("to")));
        if (diff.at("parts").elements().isEmpty()) {
            lines.add("Only line ends or blank lines differ.");
        }
        for (Json part : diff.at("parts").elements()) {
            lines.add(
                    part.at("section").isPresent()
                            ? "section " + ResultFieldFormatter.singleLine(part.at("section")) + ":"
                            : "field " + ResultFieldFormatter.singleLine(part.at("field")) + ":");
            part.at("lines")
                    .elements()
                    .forEach(line -> lines.add("  " + mark(line.at("change").text()) + " "
                            + ResultFieldFormatter.singleLine(line.at("text"))));
        }
        return lines;
    }

    private static String mark(String change) {
        return switch (change) {
            case "removed" -> "-";
            case "added" -> "+";
            case "skipped" -> "…";
            default -> " ";
        };
    }

    /** Returns the names of the changed parts of a result: "section abstract; fields status, pr". */
    static String changedParts(Json result) {
        List<String> sections = result.at("changedSections").texts();
        List<String> fields = result.at("changedFields").texts();
        List<String> texts = new ArrayList<>();
        if (!sections.isEmpty()) {
            texts.add((sections.size() == 1 ? "section " : "sections ")
                    + ResultFieldFormatter.texts(result.at("changedSections")));
        }
        if (!fields.isEmpty()) {
            texts.add((fields.size() == 1 ? "field " : "fields ")
                    + ResultFieldFormatter.texts(result.at("changedFields")));
        }
        return texts.isEmpty() ? "only line ends" : String.join("; ", texts);
    }
}
