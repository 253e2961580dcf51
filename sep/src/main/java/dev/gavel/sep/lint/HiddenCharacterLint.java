package dev.gavel.sep.lint;

import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.document.Document;
import dev.gavel.sep.document.TextRange;
import dev.gavel.sep.render.HiddenCharacterFinder;
import java.util.List;

/** Checks a document for characters that a reader would not see, and that Gavel therefore shows as escapes. */
final class HiddenCharacterLint {
    private final Document document;
    private final LintFindingCollector lintFindingCollector;

    HiddenCharacterLint(Document document, LintFindingCollector lintFindingCollector) {
        this.document = document;
        this.lintFindingCollector = lintFindingCollector;
    }

    void lint() {
        String text = document.readText();
        List<HiddenCharacterFinder.HiddenCharacter> characters = HiddenCharacterFinder.find(text);
        List<TextRange> ranges = TextRange.at(
                text,
                characters.stream()
                        .map(HiddenCharacterFinder.HiddenCharacter::offset)
                        .toList());
        for (int i = 0; i < characters.size(); i++) {
            lintFindingCollector.add(
                    LintCode.HIDDEN_CHARACTER,
                    ranges.get(i),
                    "the line contains the hidden character "
                            + SafeText.line(characters.get(i).character()) + "; it is shown as an escape",
                    "remove it, or write the escape in backticks if you write about the character");
        }
    }
}
