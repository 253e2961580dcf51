package dev.gavel.cli.proposal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gavel.cli.CommandException;
import dev.gavel.mcpx.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class ArgumentOptionsTest {
    @Command
    private static final class Holder {
        @Mixin
        private ArgumentOptions arguments = new ArgumentOptions();
    }

    private static ArgumentOptions options(String... words) {
        Holder holder = new Holder();
        new CommandLine(holder).parseArgs(words);
        return holder.arguments;
    }

    private static String applyOptions(String before, String... words) {
        return options(words).applyTo(Json.parse(before).orElseThrow()).raw();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            path=/tmp/x       | {"path":"/tmp/x"}
            n=5               | {"n":"5"}
            n:=5              | {"n":5}
            n:=1.50           | {"n":1.50}
            yes:=true         | {"yes":true}
            o:={"a": [1]}     | {"o":{"a": [1]}}
            formula=a=b:=c    | {"formula":"a=b:=c"}
            empty=            | {"empty":""}
            """)
    void textIsTextAndJsonIsJson(String argument, String json) {
        assertThat(applyOptions("{}", "--arg", argument)).isEqualTo(json);
    }

    @Test
    void argumentsOverrideExistingOnesAndTheLastWins() {
        assertThat(applyOptions("{\"a\":1.0,\"b\":2}", "--arg", "b=x", "--arg", "c=1", "--arg", "c=2"))
                .isEqualTo("{\"a\":1.0,\"b\":\"x\",\"c\":\"2\"}");
    }

    @Test
    void argsReplacesAllArguments() {
        assertThat(applyOptions("{\"a\":1}", "--args", "{\"b\": 1e2}", "--arg", "c:=null"))
                .isEqualTo("{\"b\":1e2,\"c\":null}");
    }

    @Test
    void withoutOptionsArgumentsAreUnchanged() {
        assertThat(options().isGiven()).isFalse();
        assertThat(applyOptions("{ \"a\" : 1.0 }")).isEqualTo("{ \"a\" : 1.0 }");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            --arg  | path       | NAME=TEXT
            --arg  | =x         | NAME=TEXT
            --arg  | :=1        | NAME=TEXT
            --arg  | n:=five    | not valid JSON
            --args | [1]        | JSON object
            --args | {"a":1     | JSON object
            """)
    void invalidArgumentsAreReported(String option, String argument, String message) {
        ArgumentOptions options = options(option, argument);
        Json none = Json.parse("{}").orElseThrow();
        assertThatThrownBy(() -> options.applyTo(none))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining(message);
    }
}
