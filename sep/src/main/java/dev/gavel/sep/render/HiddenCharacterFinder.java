package dev.gavel.sep.render;

import dev.gavel.mcpx.text.SafeText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.SourceSpan;
import org.commonmark.node.Text;

/** Finds the characters of a Markdown text that a reader would not see or would mistake for others. Stateless. */
public final class HiddenCharacterFinder {
    private HiddenCharacterFinder() {}

    /** A hidden character, at an offset of the text. */
    public record HiddenCharacter(int offset, String character) {}

    /**
     * Returns the first hidden character of each line, and the first of each piece of text that contains one only as an
     * HTML entity, in document order.
     */
    public static List<HiddenCharacter> find(String document) {
        String markdown = document.replace('\r', '\n');
        List<HiddenCharacter> found = new ArrayList<>();
        // A byte order mark at the beginning is part of the file format.
        int at = SafeText.indexOfHidden(markdown, markdown.startsWith("\uFEFF") ? 1 : 0);
        while (at >= 0) {
            found.add(new HiddenCharacter(at, Character.toString(markdown.codePointAt(at))));
            int lineEnd = markdown.indexOf('\n', at);
            at = lineEnd < 0 ? -1 : SafeText.indexOfHidden(markdown, lineEnd);
        }
        MarkdownRenderer.PARSER.parse(FrontMatterEscaper.blankedOut(markdown)).accept(new AbstractVisitor() {
            @Override
            public void visit(Text text) {
                int hidden = SafeText.indexOfHidden(text.getLiteral(), 0);
                if (hidden >= 0 && !text.getSourceSpans().isEmpty() && !isHidden(text)) {
                    found.add(new HiddenCharacter(
                            text.getSourceSpans().getFirst().getInputIndex(),
                            Character.toString(text.getLiteral().codePointAt(hidden))));
                }
            }

            private boolean isHidden(Text text) {
                SourceSpan first = text.getSourceSpans().getFirst();
                SourceSpan last = text.getSourceSpans().getLast();
                String source = markdown.substring(first.getInputIndex(), last.getInputIndex() + last.getLength());
                return SafeText.indexOfHidden(source, 0) >= 0;
            }
        });
        found.sort(Comparator.comparingInt(HiddenCharacter::offset));
        return found;
    }
}
