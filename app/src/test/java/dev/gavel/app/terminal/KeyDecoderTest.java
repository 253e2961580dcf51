package dev.gavel.app.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyDecoderTest {
    private final KeyDecoder decoder = new KeyDecoder();

    private List<Key> keys(String text) {
        return decoder.keys(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void charactersAreReadAsUtf8EvenInPieces() {
        byte[] umbrella = "☂".getBytes(StandardCharsets.UTF_8);
        assertThat(keys("aä😀")).containsExactly(new Key.Typed('a'), new Key.Typed('ä'), new Key.Typed(0x1F600));
        assertThat(decoder.keys(new byte[] {umbrella[0]})).isEmpty();
        assertThat(decoder.keys(new byte[] {umbrella[1], umbrella[2], 'x'}))
                .containsExactly(new Key.Typed('☂'), new Key.Typed('x'));
    }

    @ParameterizedTest
    @CsvSource({
        "[A, UP",
        "OB, DOWN",
        "[5~, PAGE_UP",
        "[6~, PAGE_DOWN",
        "[H, HOME",
        "[4~, END",
        "'[1;5C', OTHER",
        "[200~, OTHER",
    })
    void escapeSequencesAreKeys(String sequence, Key.Named key) {
        assertThat(keys("\u001b" + sequence + "q")).containsExactly(key, new Key.Typed('q'));
    }

    @Test
    void aSequenceInPiecesIsOneKey() {
        assertThat(keys("\u001b[")).isEmpty();
        assertThat(keys("5~")).containsExactly(Key.Named.PAGE_UP);
    }

    @Test
    void anEscapeAloneIsTheKey() {
        assertThat(keys("\u001b")).containsExactly(Key.Named.ESCAPE);
        assertThat(keys("\u001ba")).containsExactly(Key.Named.ESCAPE, new Key.Typed('a'));
    }

    @Test
    void controlCharactersAreKeysAndNeverText() {
        assertThat(keys("\r\u007f\u0003\u0015\u0017\u000c\u0001"))
                .containsExactly(
                        Key.Named.ENTER,
                        Key.Named.BACKSPACE,
                        Key.Named.INTERRUPT,
                        Key.Named.ERASE_LINE,
                        Key.Named.ERASE_WORD,
                        Key.Named.REDRAW,
                        Key.Named.OTHER);
    }

    @Test
    void whatIsNoUtf8OrNoSequenceDoesNotStopTheKeysAfterIt() {
        assertThat(decoder.keys(new byte[] {(byte) 0xc3, 'a'})).endsWith(new Key.Typed('a'));
        assertThat(keys("\u001b[" + "1".repeat(30) + "q")).endsWith(new Key.Typed('q'));
    }

    @Test
    void aLineIsEditedByWholeCharactersAndWords() {
        LineInput line = LineInput.EMPTY;
        for (Key key : keys("two words 😀")) {
            line = line.after(key);
        }
        assertThat(line.text()).isEqualTo("two words 😀");
        line = line.after(Key.Named.BACKSPACE);
        assertThat(line.text()).isEqualTo("two words ");
        assertThat(line.after(Key.Named.ERASE_WORD).text()).isEqualTo("two ");
        assertThat(line.after(Key.Named.UP)).isEqualTo(line);
        assertThat(line.after(Key.Named.ERASE_LINE).after(Key.Named.BACKSPACE)).isEqualTo(LineInput.EMPTY);
    }
}
