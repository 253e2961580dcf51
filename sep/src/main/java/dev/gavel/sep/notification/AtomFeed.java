package dev.gavel.sep.notification;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * An Atom feed (RFC 4287) of SEP events. Immutable.
 *
 * @param id an absolute URI that stays the same for ever
 * @param self where the feed itself is, if that is known
 * @param updated when anything in it last changed
 */
public record AtomFeed(String id, String title, Optional<URI> self, Instant updated, List<Entry> entries) {
    public AtomFeed {
        entries = List.copyOf(entries);
    }

    /**
     * Something that happened.
     *
     * @param id an absolute URI that no other entry has
     * @param author who did it
     * @param summary what it was, as plain text
     * @param link where more can be read
     */
    public record Entry(String id, String title, Instant updated, String author, String summary, Optional<URI> link) {}

    /** An id for the event of a ledger, the same whenever it is asked for. */
    public static String idOf(String ledger, long seq) {
        return "urn:uuid:" + UUID.nameUUIDFromBytes((ledger + " " + seq).getBytes(StandardCharsets.UTF_8));
    }

    /** As it is served, as {@code application/atom+xml}. */
    public String toXml() {
        StringBuilder xml = new StringBuilder(256 + entries.size() * 512);
        xml.append("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n");
        element(xml, "  ", "id", id);
        element(xml, "  ", "title", title);
        element(xml, "  ", "updated", date(updated));
        element(xml, "  ", "generator", "Gavel");
        self.ifPresent(uri -> link(xml, "  ", "self", uri));
        for (Entry entry : entries) {
            xml.append("  <entry>\n");
            element(xml, "    ", "id", entry.id());
            element(xml, "    ", "title", entry.title());
            element(xml, "    ", "updated", date(entry.updated()));
            xml.append("    <author>\n");
            element(xml, "      ", "name", entry.author());
            xml.append("    </author>\n");
            element(xml, "    ", "summary", entry.summary());
            entry.link().ifPresent(uri -> link(xml, "    ", "alternate", uri));
            xml.append("  </entry>\n");
        }
        return xml.append("</feed>\n").toString();
    }

    private static void element(StringBuilder xml, String indent, String name, String text) {
        xml.append(indent).append('<').append(name).append('>');
        escape(xml, text);
        xml.append("</").append(name).append(">\n");
    }

    private static void link(StringBuilder xml, String indent, String rel, URI uri) {
        xml.append(indent).append("<link rel=\"").append(rel).append("\" href=\"");
        escape(xml, uri.toASCIIString());
        xml.append("\"/>\n");
    }

    private static String date(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** What XML has no way to write, escaped or not, is left out. */
    private static void escape(StringBuilder xml, String text) {
        text.codePoints().filter(AtomFeed::writable).forEach(point -> {
            switch (point) {
                case '&' -> xml.append("&amp;");
                case '<' -> xml.append("&lt;");
                case '>' -> xml.append("&gt;");
                case '"' -> xml.append("&quot;");
                case '\r' -> xml.append("&#13;");
                default -> xml.appendCodePoint(point);
            }
        });
    }

    private static boolean writable(int point) {
        return point == '\t'
                || point == '\n'
                || point == '\r'
                || (point >= 0x20 && point <= 0xD7FF)
                || (point >= 0xE000 && point <= 0xFFFD)
                || point >= 0x10000;
    }
}
