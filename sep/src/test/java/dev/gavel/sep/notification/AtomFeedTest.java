package dev.gavel.sep.notification;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.text.SafeText;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class AtomFeedTest {
    private static final String ATOM = "http://www.w3.org/2005/Atom";
    private static final Instant NOW = Instant.parse("2026-01-05T09:00:00.123456Z");

    private static AtomFeed.Entry entry(String title, String summary) {
        return new AtomFeed.Entry(
                AtomFeed.idOf("ledger", 7),
                title,
                NOW,
                "ada <ada@example.org>",
                summary,
                Optional.of(URI.create("https://gavel.example/seps/12?a=1&b=2")));
    }

    private static Document parsed(AtomFeed feed) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        return factory.newDocumentBuilder()
                .parse(new ByteArrayInputStream(feed.toXml().getBytes(StandardCharsets.UTF_8)));
    }

    private static AtomFeed feed(AtomFeed.Entry... entries) {
        return new AtomFeed(
                "urn:uuid:8f1c2c0e-7b0f-4c43-9d5f-0e6f0b1e0a11",
                "SEPs & more",
                Optional.of(URI.create("https://gavel.example/seps/feed.atom")),
                NOW,
                List.of(entries));
    }

    private static String child(Element element, String name) {
        NodeList found = element.getElementsByTagNameNS(ATOM, name);
        assertThat(found.getLength()).as(name).isPositive();
        return found.item(0).getTextContent();
    }

    @Test
    void itHasAllThatAtomAsksFor() throws Exception {
        Element root = parsed(feed(entry("SEP-12: Streams", "Sponsor it."))).getDocumentElement();
        assertThat(root.getNamespaceURI()).isEqualTo(ATOM);
        assertThat(root.getLocalName()).isEqualTo("feed");
        assertThat(child(root, "id")).startsWith("urn:uuid:");
        assertThat(child(root, "title")).isEqualTo("SEPs & more");
        assertThat(Instant.parse(child(root, "updated"))).isEqualTo(Instant.parse("2026-01-05T09:00:00Z"));
        Element entry = (Element) root.getElementsByTagNameNS(ATOM, "entry").item(0);
        assertThat(URI.create(child(entry, "id")).isAbsolute()).isTrue();
        assertThat(child(entry, "title")).isEqualTo("SEP-12: Streams");
        assertThat(child(entry, "updated")).isEqualTo("2026-01-05T09:00:00Z");
        assertThat(child((Element) entry.getElementsByTagNameNS(ATOM, "author").item(0), "name"))
                .isEqualTo("ada <ada@example.org>");
        assertThat(child(entry, "summary")).isEqualTo("Sponsor it.");
        Element link = (Element) entry.getElementsByTagNameNS(ATOM, "link").item(0);
        assertThat(link.getAttribute("rel")).isEqualTo("alternate");
        assertThat(link.getAttribute("href")).isEqualTo("https://gavel.example/seps/12?a=1&b=2");
    }

    @Test
    void markupStaysTextAndHiddenCharactersBecomeVisible() throws Exception {
        String evil = "</summary><script>x</script> ]]> &amp; \"q\" 'a' \uD83D\uDE00";
        String broken = "a\u0000b\u0008c\u001Bd\uFFFEe\uD800f\uDC00g\th\u007Fi\u202Ej\u200Bk";
        Element root = parsed(feed(entry(evil, broken))).getDocumentElement();
        Element entry = (Element) root.getElementsByTagNameNS(ATOM, "entry").item(0);
        assertThat(child(entry, "title")).isEqualTo(evil);
        assertThat(child(entry, "summary")).isEqualTo(SafeText.lines(broken)).contains("i\\u202ej\\u200bk");
    }

    @Test
    void everyCharacterThereIsCanBeInATitle() throws Exception {
        StringBuilder all = new StringBuilder();
        for (int point = 0; point <= 0x10FFFF; point += point < 0x3000 ? 1 : 251) {
            all.appendCodePoint(point);
        }
        parsed(feed(entry(all.toString(), all.toString())));
    }

    @Test
    void aFeedOfNothingIsAFeed() throws Exception {
        AtomFeed nothing =
                new AtomFeed("urn:uuid:8f1c2c0e-7b0f-4c43-9d5f-0e6f0b1e0a11", "SEPs", Optional.empty(), NOW, List.of());
        assertThat(parsed(nothing).getElementsByTagNameNS(ATOM, "entry").getLength())
                .isZero();
    }

    @Test
    void anEventsIdIsItsOwnAndStays() {
        assertThat(AtomFeed.idOf("ledger", 7))
                .isEqualTo(AtomFeed.idOf("ledger", 7))
                .isNotEqualTo(AtomFeed.idOf("ledger", 8));
    }
}
