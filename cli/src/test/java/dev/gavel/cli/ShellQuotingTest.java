package dev.gavel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShellQuotingTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            p-019a8f0c1d2e0102030405 | p-019a8f0c1d2e0102030405
            a b                      | 'a b'
            @args                    | '@args'
            $(id)                    | '$(id)'
            it's                     | 'it'\\''s'
            back\\                   | 'back'\\\\''
            ~~                       | ''
            """)
    void wordsAreQuotedUnlessTheyArePlain(String word, String quoted) {
        assertThat(ShellQuoting.quote(word)).isEqualTo(quoted);
    }

    @Test
    void anOperandIsNotTakenForAnOption() {
        assertThat(ShellQuoting.quoteOperand("--yes")).isEqualTo("-- --yes");
        assertThat(ShellQuoting.quoteOperand("-a b")).isEqualTo("-- '-a b'");
        assertThat(ShellQuoting.quoteOperand("p-1")).isEqualTo("p-1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sh", "bash", "zsh", "fish"})
    void everyShellReadsTheSameWord(String shell) throws Exception {
        assumeThat(new ProcessBuilder("sh", "-c", "command -v " + shell).start().waitFor())
                .isZero();
        for (String word : new String[] {"\\'; echo run #", "it's", "a\\", "\\\\'", "$HOME `id` !! ~", "@args", "*"}) {
            Process process = new ProcessBuilder(shell, "-c", "printf %s " + ShellQuoting.quote(word)).start();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(printed).as(shell).isEqualTo(word);
        }
    }
}
