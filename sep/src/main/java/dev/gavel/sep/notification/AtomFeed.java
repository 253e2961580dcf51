package dev.gavel.sep.notification;

import dev.gavel.mcpx.text.SafeText;
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
 * @param id an absolute URI that never changes
 * @param self the address of the feed, if it is known
 * @param updated when the feed last changed
 */
public record AtomFeed(String id, String title, Optional<URI> self, Instant updated, List<Entry> entries) {
    public AtomFeed {
        entries = List.copyOf(entries);
    }

    /**
     * An entry for one event.
     *
     * @param id an absolute URI, unique among all entries
     * @param author the person who caused the event
     * @param summary a plain-text description of the event
     * @param link the address of further information
     */
    public record Entry(String id, String title, Instant updated, String author, String summary, Optional<URI> link) {}

    /** Returns the stable id of a ledger event. */
    public static String idOf(String ledger, long seq) {
        return "urn:uuid:" + UUID.nameUUIDFromBytes((ledger + " " + seq).getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the feed as {@code application/atom+xml}. */
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
        escape(xml, SafeText.lines(text));
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

    /** Escapes text and drops the characters that XML cannot represent even if escaped. */
    private static void escape(StringBuilder xml, String text) {
        text.codePoints().filter(AtomFeed::isXmlCharacter).forEach(point -> {
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

    private static boolean isXmlCharacter(int point) {
        return point == '\t'
                || point == '\n'
                || point == '\r'
                || (point >= 0x20 && point <= 0xD7FF)
                || (point >= 0xE000 && point <= 0xFFFD)
                || point >= 0x10000;
    }
}
