package dev.gavel.sep.lint;

import dev.gavel.sep.document.Document;
import dev.gavel.sep.document.TextRange;
import dev.gavel.sep.render.TextHidingTag;
import dev.gavel.sep.render.TextHidingTagFinder;

/** Checks a document for raw HTML that would hide other text, and that Gavel therefore shows as text. */
final class HtmlTagLint {
    private final Document document;
    private final LintFindingCollector lintFindingCollector;

    HtmlTagLint(Document document, LintFindingCollector lintFindingCollector) {
        this.document = document;
        this.lintFindingCollector = lintFindingCollector;
    }

    void lint() {
        String text = document.text();
        if (document.isTooLong()) {
            text = text.substring(0, Document.MAX_LENGTH);
        }
        for (TextHidingTag tag : TextHidingTagFinder.find(text)) {
            String problem = tag.closed() ? tag.start() + "> is not rendered" : "'" + tag.start() + "' is never closed";
            lintFindingCollector.add(
                    LintCode.HTML_TAG,
                    TextRange.of(text, tag.offset(), tag.offset() + tag.start().length()),
                    "the HTML " + problem + "; it is shown as text",
                    "write it in backticks to show it as code, or remove it");
        }
    }
}
