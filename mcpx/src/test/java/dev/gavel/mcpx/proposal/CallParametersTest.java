package dev.gavel.mcpx.proposal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.json.Json;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which parameter a call is named by. */
class CallParametersTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            tools/call             | {"name":"rm","uri":"file:///x"}               | rm          | {"uri":"file:///x"}
            prompts/get            | {"name":"greet"}                              | greet       | {}
            resources/read         | {"uri":"file:///x","name":"readme.txt"}       | file:///x   | {"name":"readme.txt"}
            resources/read         | {"name":"readme.txt"}                         | ''          | {"name":"readme.txt"}
            sampling/createMessage | {"name":"write_file","uri":"a"}               | ''          | {"name":"write_file","uri":"a"}
            tools/call             | {"name":1}                                    | ''          | {"name":1}
            """)
    void onlyTheFieldThatTheMethodRunsIsItsTarget(String method, String params, String target, String others) {
        CallParameters parameters =
                CallParameters.ofMethod(method, Json.parse(params).orElseThrow(), "p-1");
        assertThat(parameters.target()).isEqualTo(target);
        assertThat(parameters.others().raw()).isEqualTo(others);
    }
}
