package dev.gavel.sep.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.gavel.sep.document.DocumentFixtures;
import java.time.Duration;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MarkdownRendererTest {
    private static String html(String markdown) {
        return MarkdownRenderer.render(markdown).html();
    }

    @Test
    void aDocumentIsDrawn() {
        String html = html(DocumentFixtures.text("table"));
        assertThat(html)
                .contains(
                        "<h1 id=\"sep-text-sep-42-paging-for-every-list\">",
                        "<h2 id=\"sep-text-abstract\">Abstract</h2>",
                        "<td align=\"left\">",
                        "<code class=\"language-sh\">",
                        "href=\"https://example.org/paging\"");
    }

    @Test
    void tablesStruckWordsAndAddressesAreUnderstood() {
        assertThat(html("~~no~~ https://example.org")).contains("<del>no</del>", "<a href=\"https://example.org\"");
        assertThat(html("| a |\n|:-:|\n| b |")).contains("<th align=\"center\">a</th>", "<td align=\"center\">b</td>");
    }

    @Test
    void linksLeadAwayWithoutTellingOfUs() {
        assertThat(html("[a](https://example.org)"))
                .contains("rel=\"nofollow noopener noreferrer\"")
                .doesNotContain("target");
        assertThat(html("<a href=\"https://example.org\" rel=\"opener\" target=\"_blank\">a</a>"))
                .contains("nofollow")
                .doesNotContain("\"opener", "target");
    }

    @Test
    void idsAndLinksToThemCannotBeThoseOfThePage() {
        assertThat(html("## Sign out\n\n## Sign out\n\n[there](#sign-out)\n\n<h2 id=\"menu\">x</h2>"))
                .contains(
                        "id=\"sep-text-sign-out\"",
                        "id=\"sep-text-sign-out-1\"",
                        "href=\"#sep-text-sign-out\"",
                        "id=\"sep-text-menu\"");
    }

    @Test
    void picturesAreLinks() {
        assertThat(html("![a cat](https://example.org/cat.png)"))
                .contains("<a href=\"https://example.org/cat.png\"", ">a cat</a>")
                .doesNotContain("<img");
        assertThat(html("[![a cat](https://example.org/cat.png)](https://example.org)"))
                .contains("<a href=\"https://example.org\"", ">a cat</a>")
                .doesNotContain("<img", "cat.png");
        assertThat(html("<img src=\"data:image/png;base64,AAAA\" alt=\"a dog\">"))
                .contains("a dog")
                .doesNotContain("<img", "data:", "href");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<script>alert(1)</script>",
                "<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
                "<scr<script>ipt>alert(1)</scr</script>ipt>",
                "<img src=x onerror=alert(1)>",
                "<img src=\"x\" onerror=\"alert(1)\"//",
                "<svg onload=alert(1)>",
                "<svg><script>alert(1)</script></svg>",
                "<math><mi//xlink:href=\"data:x,<script>alert(1)</script>\">",
                "<body onload=alert(1)>",
                "<iframe src=\"javascript:alert(1)\"></iframe>",
                "<object data=\"data:text/html,<script>alert(1)</script>\"></object>",
                "<embed src=\"//evil.example/x.swf\">",
                "<link rel=stylesheet href=//evil.example/x.css>",
                "<style>@import '//evil.example/x.css';</style>",
                "<p style=\"background:url(javascript:alert(1))\">x</p>",
                "<div class=\"menu\" style=\"position:fixed\">x</div>",
                "<a href=\"javascript:alert(1)\">x</a>",
                "<a href=\"JaVaScRiPt:alert(1)\">x</a>",
                "<a href=\"&#106;avascript:alert(1)\">x</a>",
                "<a href=\"java\tscript:alert(1)\">x</a>",
                "<a href=\" javascript:alert(1)\">x</a>",
                "<a href=\"data:text/html;base64,PHNjcmlwdD4=\">x</a>",
                "<a href=\"vbscript:msgbox(1)\">x</a>",
                "<a href=x onclick=alert(1)>x</a>",
                "<a href=\"https://x\" onmouseover=\"alert(1)\">x</a>",
                "[x](javascript:alert(1))",
                "[x](JAVASCRIPT:alert(1))",
                "[x](javascript&colon;alert(1))",
                "[x](&#x6A;avascript:alert(1))",
                "[x](data:text/html,<script>alert(1)</script>)",
                "[x](vbscript:msgbox(1))",
                "[x](<javascript:alert(1)>)",
                "[x]\n\n[x]: javascript:alert(1)",
                "![x](javascript:alert(1))",
                "![x\" onerror=\"alert(1)](https://example.org/x)",
                "<javascript:alert(1)>",
                "<form action=\"https://evil.example\"><input name=token><button>x</button></form>",
                "<meta http-equiv=\"refresh\" content=\"0;url=https://evil.example\">",
                "<base href=\"https://evil.example/\">",
                "<details open ontoggle=alert(1)>x</details>",
                "<video><source onerror=alert(1)></video>",
                "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
                "<template><script>alert(1)</script></template>",
                "<textarea><script>alert(1)</script></textarea>",
                "<title><img src=x onerror=alert(1)></title>",
                "<!--><img src=x onerror=alert(1)>-->",
                "<![CDATA[<script>alert(1)</script>]]>",
                "<?xml version=\"1.0\"?><script>alert(1)</script>",
                "```x\" onmouseover=\"alert(1)\ncode\n```",
                "# x {#a\" onclick=\"alert(1)}",
                "`<script>alert(1)</script>`",
                "&lt;script&gt;alert(1)&lt;/script&gt;",
                "<b hx-get=\"/tokens\" hx-trigger=\"load\">x</b>",
                "<div data-hx-post=\"/tokens\">x</div>",
            })
    void nothingInADocumentIsRunOrLoaded(String vector) {
        for (String markdown : new String[] {vector, "words " + vector + " words", "- " + vector, "> " + vector}) {
            String html = html(markdown).toLowerCase(Locale.ROOT);
            String tags = html.replaceAll(">[^<]*", ">").replaceAll("^[^<]*", "");
            assertThat(tags)
                    .as(markdown)
                    .doesNotContain(
                            "<script",
                            "<style",
                            "<svg",
                            "<math",
                            "<img",
                            "<iframe",
                            "<object",
                            "<embed",
                            "<link",
                            "<form",
                            "<input",
                            "<button",
                            "<meta",
                            "<base",
                            "<video",
                            "<template",
                            "<textarea",
                            "<body")
                    .doesNotContain("javascript:", "vbscript:", "data:", "data-", "style=", "hx-", "evil.example")
                    .doesNotContainPattern("\\son[a-z]+\\s*=");
        }
    }

    @Test
    void anAddressOnAnotherSiteMayOnlyBeFollowed() {
        assertThat(html("<a href=\"//evil.example/\">x</a>")).contains("rel=\"nofollow noopener noreferrer\"");
    }

    @Test
    void whatIsNestedTooDeepIsShownAllTheSame() {
        assertThat(html(">".repeat(50_000) + " words")).contains("words");
        assertThat(html("- ".repeat(50_000) + "words")).contains("words");
        assertThat(html("*a **a ".repeat(20_000) + "words")).contains("words");
        assertThat(html("[".repeat(50_000) + "words")).contains("words");
        assertThat(html("![".repeat(20_000) + "words" + "](x)".repeat(20_000))).contains("words");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<!--> words --> after",
                "<!---> words --> after",
                "<!-- a --!> words --> after",
                "<? a > words ?> after",
                "<!X a > words >",
                "before <![CDATA[ a > words ]]> after",
                "before <!--> words --> after",
                "before <!-- a --!> words --> after",
            })
    void textIsShownAfterMarkupAboutWhoseEndProgramsDisagree(String markdown) {
        assertThat(html(markdown)).contains("words");
        assertThat(TextHidingTagFinder.find(markdown)).isNotEmpty();
    }

    @Test
    void ordinaryCommentsAreHidden() {
        for (String comment : new String[] {"<!-- words -->", "<!---->", "<!-- a - b -- c -->", "<!-- > -->"}) {
            assertThat(html("before\n\n" + comment + "\n\nafter")).doesNotContain("words", "!--");
            assertThat(TextHidingTagFinder.find(comment)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"small", "sup", "sub", "code", "kbd", "table", "pre"})
    void htmlThatMakesTextUnreadableIsShownAsText(String tag) {
        String markdown = ("<" + tag + ">").repeat(4) + "words" + ("</" + tag + ">").repeat(4);
        // A table contains text only in its cells.
        String nested = tag.equals("table")
                ? "<table><tr><td>".repeat(4) + "words" + "</td></tr></table>".repeat(4)
                : tag.equals("pre") ? "<div>" + markdown + "</div>" : markdown;
        assertThat(html(nested)).contains("words", "&lt;" + tag).doesNotContain("<" + tag);
        assertThat(MarkdownRenderer.showsHtmlAsText(nested)).isTrue();
        assertThat(html("<" + tag + ">words</" + tag + ">")).contains("words");
        assertThat(MarkdownRenderer.showsHtmlAsText("x <small><sup>a</sup></small>"))
                .isFalse();
    }

    @Test
    void htmlThatMovesTextOutOfItsPlaceIsShownAsText() {
        String nested = "<dl><dd>".repeat(6) + "words" + "</dd></dl>".repeat(6);
        assertThat(html(nested)).contains("words", "&lt;dl").doesNotContain("<dl");
        assertThat(html("<blockquote>".repeat(11) + "words" + "</blockquote>".repeat(11)))
                .contains("words", "&lt;blockquote")
                .doesNotContain("<blockquote");
        assertThat(MarkdownRenderer.showsHtmlAsText(nested)).isTrue();
    }

    @Test
    void deepMarkdownIsNoReasonToShowHtmlAsText() {
        String markdown = "> ".repeat(20) + "x <b>words</b>";
        assertThat(html(markdown)).contains("<b>words</b>", "<blockquote>");
        assertThat(MarkdownRenderer.showsHtmlAsText(markdown)).isFalse();
    }

    @Test
    void tagsNestedTooDeepAreShownAsText() {
        assertThat(html("<div>".repeat(50_000) + "words")).contains("words").doesNotContain("<div");
    }

    @Test
    void frontMatterIsShownAsItIsWritten() {
        assertThat(html(DocumentFixtures.text("front")))
                .contains("<pre><code class=\"language-yaml\">SEP: 42\n")
                .contains("<h2 id=\"sep-text-abstract\">");
    }

    @Test
    void headingsAreFoundWithWhereTheyAreOnThePage() {
        RenderedDocument renderedDocument =
                MarkdownRenderer.renderWithHeadings("# One\n\n## Two `three`\n\ntext\n\n## Two three\n");

        assertThat(renderedDocument.headings())
                .containsExactly(
                        new RenderedDocument.Heading(1, "One", "sep-text-one"),
                        new RenderedDocument.Heading(2, "Two three", "sep-text-two-three"),
                        new RenderedDocument.Heading(2, "Two three", "sep-text-two-three-1"));
        renderedDocument
                .headings()
                .forEach(heading -> assertThat(renderedDocument.html().html()).contains("id=\"" + heading.id() + "\""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "abbr",
                "audio",
                "base",
                "body",
                "button",
                "canvas",
                "colgroup",
                "datalist",
                "details",
                "dialog",
                "div",
                "embed",
                "form",
                "frameset",
                "head",
                "html",
                "iframe",
                "input",
                "link",
                "listing",
                "map",
                "math",
                "meta",
                "noembed",
                "noframes",
                "noscript",
                "object",
                "ol",
                "optgroup",
                "option",
                "param",
                "picture",
                "plaintext",
                "script",
                "select",
                "style",
                "svg",
                "table",
                "template",
                "textarea",
                "title",
                "tr",
                "ul",
                "video",
                "wbr",
                "xmp"
            })
    void anUnclosedElementHidesNothing(String element) {
        for (String open : new String[] {
            "<" + element + ">",
            "<" + element.toUpperCase(Locale.ROOT) + " x='1'>",
            "</" + element + ">",
            "<div>\n<" + element + ">",
            "text <" + element + ">"
        }) {
            assertThat(html("# Title\n\n" + open + "\n\nThe *rest*.\n\n## Abstract\n\n[Link](https://example.org)"))
                    .as(open)
                    .contains("The <em>rest</em>.", ">Abstract</h2>", ">Link</a>");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"<!--", "<!-- x", "<div title=\"", "<div title='x", "<?php", "<!DOCTYPE x", "<![CDATA[", "</p"})
    void aTagOrCommentThatIsNeverClosedHidesNothing(String open) {
        assertThat(html("# Title\n\n" + open + "\n\nThe *rest*.\n\n[Link](https://example.org \"x\")"))
                .contains("The <em>rest</em>.", ">Link</a>");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<details>",
                "<DETAILS open><summary>More</summary>",
                "text <details> text",
                "<details>\n<details>\n</details>",
                "<details>\n\n<!-- </details> -->",
                "<details>\n\n`</details>`",
                "<details>\n\n| a |\n|---|\n| </details> |",
                "<details><table><tr><td></details></td></tr></table>",
                "<!-- x --!><details> -->",
                "<details>\n<style>\n</details>",
                "<details><tr></details>",
                "<details><tbody></details>",
                "<details><thead></details>",
                "<details><tfoot></details>",
                "<details><colgroup></details>",
                "<details>\n\n<tr>\n\n</details>",
                "<details><tr></tr></details>",
            })
    void anUnclosedDetailsElementHidesNothing(String open) {
        String html = html(open + "\n\nThe *rest*.");
        String before = html.substring(0, html.indexOf("The <em>rest</em>."));
        assertThat(before.split("<details", -1).length).as(html).isEqualTo(before.split("</details>", -1).length);
    }

    @ParameterizedTest
    @ValueSource(strings = {"noscript", "object", "iframe", "noembed", "noframes", "title", "template", "select"})
    void theTextInAnElementThatIsNotRenderedIsShown(String element) {
        assertThat(html("<" + element + ">Fees apply.</" + element + ">\n\nThe rest."))
                .contains("Fees apply.", "The rest.");
        assertThat(html("a <" + element + ">Fees apply.</" + element + "> b")).contains("Fees apply.");
        assertThat(html("<" + element + ">\n\n## Fees\n\n</" + element + ">")).contains(">Fees</h2>");
    }

    @Test
    void noCombinationOfTagsHidesText() {
        Random random = new Random(20260701);
        String[] names = ("a b br caption col colgroup details details div dl dt em form h2 hr img li math mglyph "
                        + "noscript object ol optgroup option p pre select span summary svg table tbody td template tfoot "
                        + "th thead tr ul x-y")
                .split(" ", -1);
        for (int i = 0; i < 3_000; i++) {
            StringBuilder soup = new StringBuilder();
            int words = 2 + random.nextInt(8);
            for (int word = 0; word < words; word++) {
                soup.append(random.nextInt(3) == 0 ? "</" : "<")
                        .append(names[random.nextInt(names.length)])
                        .append('>')
                        .append("word")
                        .append(word)
                        .append(random.nextInt(3) == 0 ? "\n\n" : "");
            }
            String html = html(soup + "\n\n## Specification\n\nThe rest.");
            int rest = html.indexOf("The rest.");
            assertThat(rest).as("%s\n%s", soup, html).isPositive();
            String before = html.substring(0, rest);
            assertThat(before.split("<details", -1).length)
                    .as("%s\n%s", soup, html)
                    .isEqualTo(before.split("</details>", -1).length);
            for (int word = 0; word < words; word++) {
                assertThat(before).as(soup.toString()).contains("word" + word);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a \u202Eb",
                "`a \u202Eb`",
                "```\na \u202Eb\n```",
                "    a \u202Eb",
                "a &#x202E;b",
                "<b>a \u202Eb</b>",
                "<div>a &#x202e;b</div>",
                "## a \u202Eb",
                "![a \u202Eb](https://example.org)",
                "| a \u202Eb |\n|---|\n| c |",
                "---\nkey: a \u202Eb\n---\n",
            })
    void hiddenCharactersAreShownAsEscapes(String markdown) {
        assertThat(html(markdown)).contains("a \\u202eb").doesNotContain("\u202E", "&#x202e", "&#8238");
    }

    @Test
    void lettersEmojiAndAByteOrderMarkAreNotEscaped() {
        assertThat(html("\uFEFF# 日本語 é\u0301 👩‍💻\r\n\r\n\ttab\r\n"))
                .contains("日本語", "&#x1f469;\u200D&#x1f4bb;")
                .doesNotContain("\\u");
    }

    @Test
    void aClosedDetailsElementIsRendered() {
        assertThat(
                        html(
                                "<details>\n<summary>More</summary>\n\nIts *text*.\n\n<details>x</details>\n\n</details>\n\nThe rest."))
                .contains("<details>", "<summary>More</summary>", "Its <em>text</em>.")
                .doesNotContain("&lt;");
        assertThat(html("- <details>\n\n  text\n\n  </details>")).doesNotContain("&lt;");
    }

    @ParameterizedTest
    @ValueSource(strings = {"dialog", "template", "select", "video", "audio", "canvas", "svg"})
    void elementsThatABrowserHidesAreNotRendered(String element) {
        assertThat(html("<" + element + " hidden style='display:none'>\n\nThe *rest*.\n\n<p hidden>more</p>"))
                .contains("The <em>rest</em>.", "more")
                .doesNotContain("<" + element, "hidden", "style");
    }

    @Test
    void manyUnclosedElementsAreShownAsPlainText() {
        assertThat(html("<script>\n".repeat(1_000) + "The rest.")).contains("The rest.");
    }

    @Test
    void theTextAfterAnUnclosedPreIsShownAsCode() {
        assertThat(html("<pre>\n\nThe *rest*.")).contains("<pre>", "The *rest*.");
    }

    @Test
    void aClosedCommentIsNotShown() {
        assertThat(html("before\n\n<!-- a note -->\n\nafter"))
                .contains("before", "after")
                .doesNotContain("note");
    }

    @ParameterizedTest
    @ValueSource(strings = {"<!--", "<![CDATA[", "<a ", "<a b='", "<?x", "<a b=\"'", "</x "})
    void manyUnclosedTagsAreFoundQuickly(String tag) {
        String document = "<div>\n" + tag.repeat(200_000 / tag.length());
        assertTimeoutPreemptively(Duration.ofSeconds(10), () -> {
            assertThat(TextHidingTagFinder.find(document)).isNotEmpty();
            assertThat(TextHidingTagFinder.find("text " + document.substring(6)))
                    .isNotNull();
        });
    }
}
