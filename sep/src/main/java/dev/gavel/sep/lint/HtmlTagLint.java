package dev.gavel.sep.lint;

import dev.gavel.sep.document.Document;
import dev.gavel.sep.document.TextRange;
import dev.gavel.sep.render.MarkdownRenderer;
import dev.gavel.sep.render.TextHidingTag;
import dev.gavel.sep.render.TextHidingTagFinder;
import java.util.List;

/** Checks a document for raw HTML that would hide other text, and that Gavel therefore shows as text. */
final class HtmlTagLint {
    private final Document document;
    private final LintFindingCollector lintFindingCollector;

    HtmlTagLint(Document document, LintFindingCollector lintFindingCollector) {
        this.document = document;
        this.lintFindingCollector = lintFindingCollector;
    }

    void lint() {
        String text = document.readText();
        List<TextHidingTag> tags = TextHidingTagFinder.find(text);
        List<TextRange> ranges =
                TextRange.at(text, tags.stream().map(TextHidingTag::offset).toList());
        for (int i = 0; i < tags.size(); i++) {
            TextHidingTag tag = tags.get(i);
            String problem = !tag.closed()
                    ? "'" + tag.start() + "' is never closed"
                    : tag.start().equals("<?") || tag.start().equals("<!")
                            ? "after '" + tag.start() + "' is not rendered"
                            : tag.start() + "> is not rendered";
            lintFindingCollector.add(
                    LintCode.HTML_TAG,
                    ranges.get(i),
                    "the HTML " + problem + "; it is shown as text",
                    "write it in backticks to show it as code, or remove it");
        }
        if (MarkdownRenderer.showsHtmlAsText(text)) {
            lintFindingCollector.add(
                    LintCode.HTML_TAG,
                    TextRange.at(text, List.of(TextHidingTagFinder.firstHtml(text)))
                            .getFirst(),
                    "the HTML of this document would hide text; all its HTML is shown as text",
                    "close each tag where it belongs, or use Markdown instead of HTML");
        }
    }
}
