package dev.gavel.sep.document;

/**
 * The status in a document's status field, without any remark after it, and the range that a new status replaces.
 *
 * @param start the document offset at which the text begins
 * @param end the end offset of the range that a new status replaces; a remark about the old status is part of it
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
        // If a mark closes after the text, the remark is not part of the status and stays.
        boolean includesRemark = note > from && note < last && to < last && value.offset(to) == end;
        return new StatusFieldText(
                all.substring(from, to), value.offset(from), includesRemark ? value.endOffset(last) : end);
    }
}
