package dev.gavel.sep.document;

/**
 * The text of a document's status field without the remark after it, and its position in the document.
 *
 * @param start where they begin in the document
 * @param end where what another status would take the place of ends; a remark about the old one is part of it
 */
record StatusFieldText(String text, int start, int end) {
    static StatusFieldText of(PreambleField field) {
        PositionMappedText value = field.firstLine();
        String all = value.text();
        int from = 0;
        int to = all.length();
        int link = all.indexOf("](");
        if (all.startsWith("[") && link > 0 && !all.substring(1, link).isBlank()) {
            from = 1;
            to = link;
        }
        int line = all.indexOf('\n');
        if (line > from && line < to) {
            to = line;
        }
        int last = to;
        int note = all.indexOf('(', from);
        if (note > from && note < to) {
            to = note;
        }
        while (to > from && (Character.isWhitespace(all.charAt(to - 1)) || all.charAt(to - 1) == '.')) {
            to--;
        }
        if (to == from) {
            return new StatusFieldText("", value.offset(from), Math.max(value.offset(from), value.endOffset(last)));
        }
        int end = value.endOffset(to);
        // Where a mark closes behind the words, what follows was not meant as part of them.
        boolean remarked = note > from && note < last && to < last && value.offset(to) == end;
        return new StatusFieldText(all.substring(from, to), value.offset(from), remarked ? value.endOffset(last) : end);
    }
}
