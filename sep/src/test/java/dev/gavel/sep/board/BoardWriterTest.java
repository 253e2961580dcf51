package dev.gavel.sep.board;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.history.LifecycleEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class BoardWriterTest {
    private static final Map<String, String> SITE = BoardFixtures.writeBoard(BoardFixtures.input(BoardFixtures.seps()));

    private static String page(String path) {
        return SITE.getOrDefault(path, "");
    }

    /** Returns the visible text of a page, approximately. */
    private static String text(String path) {
        return page(path)
                .replaceAll("(?s)<svg.*?</svg>", "")
                .replaceAll("<[^>]*>", " ")
                .replace("&#39;", "'")
                .replaceAll("\\s+", " ");
    }

    @Test
    void thereIsAnIndexAPageForEachProposalAndFigures() {
        assertThat(SITE)
                .containsOnlyKeys(
                        "assets/board.css",
                        "assets/icon.svg",
                        "seps/3.html",
                        "seps/7.html",
                        "seps/12.html",
                        "stats.html",
                        "stats.json",
                        "whose.html",
                        "index.html");
        assertThat(SITE.keySet()).last().isEqualTo("index.html");
    }

    @Test
    void pagesCallPeopleByTheirNames() {
        Map<String, String> site = BoardFixtures.writeBoard(BoardFixtures.input(
                BoardFixtures.seps(), Map.of(new Person("ann"), "Ann Archer", new Person("bea"), "Bea Baker")));
        assertThat(String.join("", site.values())).contains("Ann Archer", "Bea Baker");
        site.forEach((path, content) -> {
            if (path.endsWith(".html")) {
                assertThat(content.replaceAll("<[^>]*>", " ")).as(path).doesNotContainPattern("\\b(ann|bea)\\b");
            }
        });
    }

    @Test
    void nothingOfOthersBecomesMarkup() {
        SITE.forEach((path, content) -> {
            if (path.endsWith(".html")) {
                assertThat(content)
                        .as(path)
                        .doesNotContain("<script")
                        .doesNotContain("<img src=x")
                        .doesNotContain("href=\"javascript:");
            }
        });
        assertThat(page("seps/7.html"))
                .contains("&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(2)&gt;");
    }

    @Test
    void hiddenCharactersAreVisibleInEveryText() {
        String hidden = "to\u202Ep\u200B";
        Map<String, String> files = BoardFixtures.writeBoard(BoardFixtures.input(List.of(BoardFixtures.sep(
                12,
                hidden,
                BoardFixtures.submitted(0, "proposal", hidden),
                new LifecycleEvent.Commented(BoardFixtures.day(1), Actor.of("bea"), hidden)))));
        files.keySet().removeIf(path -> path.endsWith(".json"));
        assertThat(files.values())
                .noneMatch(page -> page.contains("\u202E") || page.contains("\u200B"))
                .anyMatch(page -> page.contains("to\\u202ep\\u200b"));
    }

    @Test
    void everyPageForbidsScriptsAndWhatComesFromElsewhere() {
        SITE.forEach((path, content) -> {
            if (path.endsWith(".html")) {
                assertThat(content).as(path).contains("default-src 'none'; style-src 'self'; img-src 'self'");
                assertThat(content.replaceAll("<a [^>]*>", ""))
                        .as("what %s loads", path)
                        .doesNotContain("http://")
                        .doesNotContain("=\"https://")
                        .doesNotContain(" style=")
                        .doesNotContainPattern(" on[a-z]+=\"");
            }
        });
    }

    @Test
    void everyLinkOfTheSiteLeadsSomewhere() {
        Pattern link = Pattern.compile("(?:href|src)=\"([^\"#:]*)(#[^\"]*)?\"");
        SITE.forEach((path, content) -> {
            Matcher links = link.matcher(content);
            while (links.find()) {
                String target = links.group(1);
                String from = path.contains("/") && !target.startsWith("../") && !target.isEmpty() ? "seps/" : "";
                if (target.isEmpty()) {
                    assertThat(content).contains("id=\"" + links.group(2).substring(1) + "\"");
                } else {
                    assertThat(SITE).as(path).containsKey(from + target.replace("../", ""));
                }
            }
        });
    }

    @Test
    void headingsGoDownOneAtATime() {
        SITE.forEach((path, content) -> {
            if (path.endsWith(".html")) {
                List<Integer> levels = new ArrayList<>();
                Pattern.compile("<h([1-6])")
                        .matcher(content)
                        .results()
                        .forEach(found -> levels.add(Integer.parseInt(found.group(1))));
                assertThat(levels).as(path).startsWith(1).containsOnlyOnce(1);
                for (int i = 1; i < levels.size(); i++) {
                    assertThat(levels.get(i)).as(path).isLessThanOrEqualTo(levels.get(i - 1) + 1);
                }
            }
        });
        assertThat(page("seps/3.html")).contains("<h3>Abstract</h3>").doesNotContain("<h1>Title");
    }

    @Test
    void theIndexSaysWhoMustActAndForHowLong() {
        assertThat(text("index.html"))
                .contains("3 SEPs, 2 waiting for action.")
                .contains("SEP-12 Cursors for lists ann, zoe · Standards Track waiting for a core maintainer , 111 d")
                .contains("SEP-3 Signed messages ann, zoe · Standards Track since 2025-11-30");
        assertThat(text("whose.html")).contains("a core maintainer 1 SEP-12").contains("a maintainer 1 SEP-7");
    }

    @Test
    void aPageSaysWhereItStandsAndWhatComesNext() {
        assertThat(text("seps/12.html"))
                .contains("in-review since 2025-11-10: the core maintainers are deciding.")
                .contains("The decision has been on hold since 2025-11-22")
                .contains("Waiting for a core maintainer since 2025-11-10 , 111 d")
                .contains("The sponsor Help the core maintainers decide.")
                .contains("A core maintainer Vote, or raise a concern and give the reason.")
                .contains("Move to accepted")
                .contains("1 yes, 0 no, 0 abstaining, open concern of dan")
                .contains("Sponsor bea");
        assertThat(text("seps/7.html"))
                .contains("Waiting for a maintainer since 2025-12-10 , 81 d")
                .contains("Deadline 2026-03-10")
                .contains("The author Ask a maintainer to sponsor the SEP");
        assertThat(text("seps/3.html")).contains("Waiting for no one").contains("withdrawn since 2025-11-30");
    }

    @Test
    void aPageShowsTheStatesAndAllThatHappened() {
        String page = text("seps/12.html");
        assertThat(page)
                .contains("proposal 2025-09-01 2 d draft 2025-09-03 18 d provisional 2025-09-21 50 d"
                        + " in-review 2025-11-10 111 d");
        assertThat(page)
                .contains(
                        "2025-09-21 bea moved the SEP from draft to provisional a link to the high-level review that accepted the goals: https://x.example/g?a=1&amp;b=2");
        assertThat(page).contains("2025-10-31 Gavel reminded every maintainer Go on.");
        assertThat(page("seps/12.html"))
                .contains("<a href=\"https://x.example/g?a=1&amp;b=2\" rel=\"nofollow noopener\">");
    }

    @Test
    void figuresAreDrawnAndListed() {
        assertThat(page("stats.html"))
                .contains("<title id=\"chart-months-title\">Throughput per month</title>")
                .contains("<td dir=\"auto\">2025-11</td>");
        assertThat(text("stats.html")).contains("1 SEP is waiting for a first response.");
        assertThat(page("stats.json")).startsWith("{\"at\":\"2026-03-01T00:00:00Z\"");
    }

    @Test
    void aBoardWithoutProposalsSaysSo() {
        Map<String, String> site = BoardFixtures.writeBoard(BoardFixtures.input(List.of()));
        assertThat(site.get("index.html")).contains("There are no SEPs yet.");
        assertThat(site.get("whose.html")).contains("No action is needed.");
    }
}
