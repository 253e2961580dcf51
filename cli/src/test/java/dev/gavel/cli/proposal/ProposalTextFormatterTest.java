package dev.gavel.cli.proposal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.json.Json;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Calls as the command line describes them. */
class ProposalTextFormatterTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            tools/call     | {"name":"rm","arguments":{"a":{"dev.gavel/redacted":"secret"}}}              | rm a=[secret]
            tools/call     | {"name":"rm","arguments":{"a":{"dev.gavel/redacted":"read-only"}}}           | rm a:={"dev.gavel/redacted":"read-only"}
            tools/call     | {"name":"rm","arguments":{"a":{"dev.gavel/redacted":"secret","b":1}}}        | rm a:={"dev.gavel/redacted":"secret","b":1}
            tools/call     | {"name":"rm","arguments":{"dev.gavel/redacted":"secret","mode":"evil"}}      | rm dev.gavel/redacted=secret mode=evil
            tools/call     | {"name":"rm","arguments":{"a":"[secret]"}}                                   | rm a="[secret]"
            tools/call     | {"name":"rm","arguments":{"a=[secret]":1}}                                   | rm "a=[secret]":=1
            resources/read | {"uri":"file:///x a=[secret]"}                                               | resources/read "file:///x a=[secret]"
            resources/read | {"uri":"file:///x?a=b","name":"readme.txt"}                                  | resources/read file:///x?a=b (and 1 other parameter: name=readme.txt)
            """)
    void onlyAMarkerOfTheGatewayIsShownAsHidden(String method, String params, String text) {
        Json payload = Json.object()
                .with("method", Json.ofText(method))
                .with("params", Json.parse(params).orElseThrow());
        assertThat(ProposalTextFormatter.describeCall(payload, "p-1")).isEqualTo(text);
    }
}
