package dev.gavel.client.link;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndingTest {
    @Test
    void whoIsReplacedOrExpelledDoesNotComeBack() {
        assertThat(Ending.ofClose(4001)).contains(Ending.REPLACED);
        assertThat(Ending.ofClose(4003)).contains(Ending.EXPELLED);
    }

    @ParameterizedTest
    @ValueSource(ints = {1000, 1001, 1006, 1009, 1011, 1012, 4008, 4999})
    void everybodyElseDoes(int code) {
        assertThat(Ending.ofClose(code)).isEmpty();
    }

    @Test
    void whoIsNotLetInAgainDoesNotTryOn() {
        assertThat(Ending.ofStatus(401)).contains(Ending.UNAUTHENTICATED);
        assertThat(Ending.ofStatus(403)).contains(Ending.NOT_A_MEMBER);
        assertThat(Ending.ofStatus(404)).contains(Ending.NO_SUCH_TOPIC);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 429, 500, 502, 503})
    void aServerThatIsNotWellIsTriedAgain(int status) {
        assertThat(Ending.ofStatus(status)).isEmpty();
    }
}
