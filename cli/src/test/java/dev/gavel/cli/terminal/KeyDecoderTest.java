package dev.gavel.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyDecoderTest {
    private final KeyDecoder decoder = new KeyDecoder();

    private List<TerminalKey> keys(String text) {
        return decoder.decode(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void charactersAreReadAsUtf8EvenInPieces() {
        byte[] umbrella = "☂".getBytes(StandardCharsets.UTF_8);
        assertThat(keys("aä😀"))
                .containsExactly(
                        new TerminalKey.Typed('a'), new TerminalKey.Typed('ä'), new TerminalKey.Typed(0x1F600));
        assertThat(decoder.decode(new byte[] {umbrella[0]})).isEmpty();
        assertThat(decoder.decode(new byte[] {umbrella[1], umbrella[2], 'x'}))
                .containsExactly(new TerminalKey.Typed('☂'), new TerminalKey.Typed('x'));
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
    void escapeSequencesAreKeys(String sequence, TerminalKey.Named key) {
        assertThat(keys("\u001b" + sequence + "q")).containsExactly(key, new TerminalKey.Typed('q'));
    }

    @Test
    void aSequenceInPiecesIsOneKey() {
        assertThat(keys("\u001b[")).isEmpty();
        assertThat(keys("5~")).containsExactly(TerminalKey.Named.PAGE_UP);
    }

    @Test
    void aSingleEscapeIsTheEscapeKey() {
        assertThat(keys("\u001b")).containsExactly(TerminalKey.Named.ESCAPE);
        assertThat(keys("\u001ba")).containsExactly(TerminalKey.Named.ESCAPE, new TerminalKey.Typed('a'));
    }

    @Test
    void controlCharactersAreKeysAndNeverText() {
        assertThat(keys("\r\u007f\u0003\u0015\u0017\u000c\u0001"))
                .containsExactly(
                        TerminalKey.Named.ENTER,
                        TerminalKey.Named.BACKSPACE,
                        TerminalKey.Named.INTERRUPT,
                        TerminalKey.Named.ERASE_LINE,
                        TerminalKey.Named.ERASE_WORD,
                        TerminalKey.Named.REDRAW,
                        TerminalKey.Named.OTHER);
    }

    @Test
    void invalidBytesDoNotBlockLaterKeys() {
        assertThat(decoder.decode(new byte[] {(byte) 0xc3, 'a'})).endsWith(new TerminalKey.Typed('a'));
        assertThat(keys("\u001b[" + "1".repeat(30) + "q")).endsWith(new TerminalKey.Typed('q'));
    }

    @Test
    void aLineIsEditedByWholeCharactersAndWords() {
        LineEditState line = LineEditState.EMPTY;
        for (TerminalKey key : keys("two words 😀")) {
            line = line.withKey(key);
        }
        assertThat(line.text()).isEqualTo("two words 😀");
        line = line.withKey(TerminalKey.Named.BACKSPACE);
        assertThat(line.text()).isEqualTo("two words ");
        assertThat(line.withKey(TerminalKey.Named.ERASE_WORD).text()).isEqualTo("two ");
        assertThat(line.withKey(TerminalKey.Named.UP)).isEqualTo(line);
        assertThat(line.withKey(TerminalKey.Named.ERASE_LINE).withKey(TerminalKey.Named.BACKSPACE))
                .isEqualTo(LineEditState.EMPTY);
    }
}
