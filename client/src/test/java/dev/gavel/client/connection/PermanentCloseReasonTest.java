package dev.gavel.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PermanentCloseReasonTest {
    @Test
    void whoIsReplacedOrExpelledDoesNotComeBack() {
        assertThat(PermanentCloseReason.ofCloseCode(4001)).contains(PermanentCloseReason.REPLACED);
        assertThat(PermanentCloseReason.ofCloseCode(4003)).contains(PermanentCloseReason.EXPELLED);
    }

    @ParameterizedTest
    @ValueSource(ints = {1000, 1001, 1006, 1009, 1011, 1012, 4008, 4999})
    void everybodyElseDoes(int code) {
        assertThat(PermanentCloseReason.ofCloseCode(code)).isEmpty();
    }

    @Test
    void whoIsNotLetInAgainDoesNotTryOn() {
        assertThat(PermanentCloseReason.ofHttpStatus(401)).contains(PermanentCloseReason.UNAUTHENTICATED);
        assertThat(PermanentCloseReason.ofHttpStatus(403)).contains(PermanentCloseReason.NOT_A_MEMBER);
        assertThat(PermanentCloseReason.ofHttpStatus(404)).contains(PermanentCloseReason.NO_SUCH_TOPIC);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 429, 500, 502, 503})
    void aServerThatIsNotWellIsTriedAgain(int status) {
        assertThat(PermanentCloseReason.ofHttpStatus(status)).isEmpty();
    }
}
