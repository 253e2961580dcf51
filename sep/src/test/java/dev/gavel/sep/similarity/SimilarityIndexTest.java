package dev.gavel.sep.similarity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SimilarityIndexTest {
    private static final String PAGING = """
            Cursors for every list
            Servers that list many tools answer in one long message. This proposal adds a cursor to every list request,
            so that a client fetches a page at a time. Today a client that talks to a server with thousands of tools
            waits for all of them, and many clients give up. Paging by cursors lets servers bound their answers.
            """;

    private static final String PAGES_AGAIN = """
            Pagination of tool lists
            A list of tools may be very long. We propose that list requests take a cursor and a page size, and that the
            answer names the next cursor. Clients fetch page after page, and servers keep every answer short.
            """;

    private static final String SIGNING = """
            Signing messages between servers
            Messages pass through proxies that nobody trusts. This proposal lets a sender sign what it sends with a
            key that is published under a well-known address, so that a receiver can prove who wrote it.
            """;

    private static final String GOVERNANCE = """
            Electing the steering group
            The project has grown, and decisions are made by a few people. We describe how a steering group is elected
            every year, who may vote, and how somebody leaves office before their term is over.
            """;

    private final SimilarityIndex index = new SimilarityIndex();

    private void filled() {
        index.put(1, PAGING);
        index.put(2, SIGNING);
        index.put(3, GOVERNANCE);
        for (int i = 0; i < 20; i++) {
            index.put(100 + i, noise(i));
        }
    }

    private static String noise(int seed) {
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder("Filler " + seed + "\n");
        IntStream.range(0, 60)
                .forEach(_ -> text.append("word").append(random.nextInt(400)).append(' '));
        return text.toString();
    }

    @Test
    void aDocumentIsAsMuchLikeItselfAsCanBe() {
        filled();
        for (String text : List.of(PAGING, SIGNING, GOVERNANCE)) {
            assertThat(index.findSimilar(text, 1, 0).getFirst().score()).isCloseTo(1, within(0.0001));
        }
        assertThat(index.findSimilar(PAGING, 5, 0).getFirst().number()).isEqualTo(1);
    }

    @Test
    void oneThatSaysTheSameInOtherWordsIsFoundAndOthersAreNot() {
        filled();
        assertThat(index.findSimilar(PAGES_AGAIN, 10, SimilarityIndex.MIN_SHOWN_SCORE))
                .extracting(SimilarSep::number)
                .containsExactly(1);
        assertThat(index.findSimilar(SIGNING, 10, SimilarityIndex.MIN_SHOWN_SCORE))
                .extracting(SimilarSep::number)
                .containsExactly(2);
    }

    @Test
    void whatTheTitleSaysCountsMoreThanWhatTheTextSays() {
        index.put(1, "Widgets for lists\nA proposal of some kind that concerns servers.");
        index.put(2, "A proposal of some kind\nIt concerns servers, and widgets for lists too.");
        List<SimilarSep> found = index.findSimilar("Widgets for lists", 2, 0);
        assertThat(found).extracting(SimilarSep::number).containsExactly(1, 2);
        assertThat(found.getFirst().score()).isGreaterThan(found.getLast().score());
    }

    @Test
    void caseSignsAndPluralsMakeNoDifference() {
        index.put(1, "Proxies, classes, caches & batches!");
        assertThat(index.findSimilar("proxy CLASS cache batch", 1, 0).getFirst().score())
                .isCloseTo(1, within(0.0001));
    }

    @Test
    void whatIsReplacedOrRemovedIsNotFoundAnyMore() {
        filled();
        index.put(1, GOVERNANCE);
        assertThat(index.findSimilar(PAGING, 10, SimilarityIndex.MIN_SHOWN_SCORE))
                .isEmpty();
        assertThat(index.findSimilar(GOVERNANCE, 2, 0.99))
                .extracting(SimilarSep::number)
                .containsExactly(1, 3);
        index.remove(3);
        index.remove(4_711);
        assertThat(index.findSimilar(GOVERNANCE, 2, 0.99))
                .extracting(SimilarSep::number)
                .containsExactly(1);
        assertThat(index.size()).isEqualTo(22);
        IntStream.range(0, 200).forEach(index::remove);
        assertThat(index.size()).isZero();
        assertThat(index.findSimilar(GOVERNANCE, 2, 0)).isEmpty();
    }

    @Test
    void nothingIsLikeATextWithoutWords() {
        filled();
        for (String text : List.of("", " \n ", "the of and", "!!! ???", "\uD800", "x".repeat(1_000_000))) {
            assertThat(index.findSimilar(text, 10, 0)).isEmpty();
            index.put(9_000, text);
        }
        assertThat(index.findSimilar(PAGING, 1, 0.9)).hasSize(1);
        assertThat(index.findSimilar(PAGING, 0, 0)).isEmpty();
    }

    @Test
    void scriptsWithoutSpacesAreReadSignBySign() {
        index.put(1, "工具列表分页\n服务器有很多工具");
        index.put(2, "消息签名\n代理不可信");
        assertThat(index.findSimilar("列表分页", 5, 0.2))
                .extracting(SimilarSep::number)
                .containsExactly(1);
    }

    @Test
    void scoresAreBetweenNoughtAndOneWhateverComesAndGoes() {
        Random random = new Random(7);
        for (int i = 0; i < 600; i++) {
            int number = random.nextInt(80);
            if (random.nextInt(3) == 0) {
                index.remove(number);
            } else {
                index.put(number, noise(random.nextInt(1_000)));
            }
            assertThat(index.findSimilar(noise(random.nextInt(1_000)), 5, 0))
                    .allSatisfy(found -> assertThat(found.score()).isBetween(0.0, 1.0));
        }
        index.put(5, PAGING);
        assertThat(index.findSimilar(PAGING, 1, 0).getFirst()).isEqualTo(new SimilarSep(5, 1));
    }

    @Test
    void readersAndWritersMayComeAtTheSameTime() throws Exception {
        filled();
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Boolean>> tasks = IntStream.range(0, 40)
                    .<Callable<Boolean>>mapToObj(i -> () -> {
                        index.put(200 + i, noise(i + 50));
                        return index.findSimilar(PAGING, 1, 0).getFirst().number() == 1;
                    })
                    .toList();
            for (Future<Boolean> each : pool.invokeAll(tasks)) {
                assertThat(each.get()).isTrue();
            }
        }
        assertThat(index.size()).isEqualTo(63);
    }
}
