package dev.gavel.mcpx;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CapabilityPatternCheckerTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "*",
                "mcp*",
                "acme*",
                "mcp.*",
                "m*.request.*",
                "mcp.request.*",
                "mcp.req*",
                "mcp.*.tools/call:x",
                "mcp.request.*/list",
                "mcp.request.tools*",
                "mcp.request.tools/call",
                "mcp.request.tools/call:read_*",
                "mcp.request.resources/read:file:///*",
                "mcp.request.resources/read:https://example.com/?q=*",
                "mcp.request.ping",
                "mcp.request.notifications/*",
                "mcp.request.notifications/progress",
                "mcp.request.notif*",
                "mcp.request.acme/do-it",
                "mcp.request.tools/call:a/../b",
                "mcp.request.tools/call:read_..*",
                "mcp.response.*",
                "mcp/request:tools/call",
                "mcp.proposal.*",
                "mcpx.*",
                "mcpx.withdraw.proposal",
                "mcpx.*.proposal",
                "mcpx.status.*",
                "chat",
                "chat.*",
                "chat.message",
                "gavel.*",
                "gavel.approve.definition",
                "acme.job.start"
            })
    void aPatternThatMatchesEnvelopesHasNoProblem(String pattern) {
        assertThat(CapabilityPatternChecker.findProblem(pattern)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "tools.call.read_*              | write mcp.request.tools/call:NAME",
                "tool.call                      | 'tool' is not a protocol",
                "gavel.approve.definitions      | the only capability of this protocol is gavel.approve.definition",
                "mpc.request.tools/call         | Did you mean 'mcp'?",
                "mcp.requests.tools/call:x      | Did you mean 'request'?",
                "mcp.call.x                     | Use request, response or proposal.",
                "mcp.request                    | write mcp.request.*",
                "mcp.request.tool/call:read_*   | Did you mean 'tools/call'?",
                "mcp.request.tools.call:read_*  | Did you mean 'tools/call'?",
                "mcp.request.tools/call.read_*  | mcp.request.tools/call:read_*",
                "mcp.request.tools/call/read_*  | mcp.request.tools/call:read_*",
                "mcp.request.tools/read:x       | Use tools/call or tools/list.",
                "mcp.request.tools/call:*/../*  | the path segment '..'",
                "mcp.request.read_file          | write mcp.request.tools/call:read_file",
                "mcp.proposal.write_*           | write mcp.proposal.tools/call:write_*",
                "mcp.request.tools/list:x       | have no name after a colon",
                "read_*                         | write mcp.request.tools/call:read_*",
                "mcp.request.tools/call: read   | begins or ends with a space",
                "mcpx.withdraw                  | mcpx.withdraw.proposal",
                "mcpx.approve.proposal          | mcpx.reject.proposal",
                "chat.send                      | chat.message",
                "system.welcome                 | only the gateway",
            })
    void aPatternThatMatchesNothingIsExplained(String pattern, String explanation) {
        assertThat(CapabilityPatternChecker.findProblem(pattern))
                .hasValueSatisfying(problem -> assertThat(problem)
                        .startsWith("capability '" + pattern + "' matches nothing: ")
                        .contains(explanation));
    }

    @ParameterizedTest
    @ValueSource(strings = {"mcp.request.tools/call:read\u00a0file", "mcp.request.tools/call:read\u200b"})
    void aHiddenCharacterIsShownAsAnEscape(String pattern) {
        assertThat(CapabilityPatternChecker.findProblem(pattern))
                .hasValueSatisfying(
                        problem -> assertThat(problem).contains("a hidden character or an unusual space", "\\u"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '"',
            value = {
                "\" mcp.request.tools/call\"              ~ begins or ends with a space",
                "\"mcp.request.tools/call:read_file \"    ~ begins or ends with a space",
                "mcp.request.tools/call:{read,list}_file  ~ contains '{'",
                "mcp.request.tools/call:read}             ~ contains '}'",
                "mcp.request.tools/call:read_?            ~ contains '?'",
                "mcp.request.resources/read:file:///{a}   ~ contains '{'",
                "mcp.request.tools/call:(read|list)_*     ~ contains '|'",
                "mcp.request.tools/call:[rl]*             ~ contains '['",
                "mcp.request.tools/call:reаd_*            ~ letters of another alphabet",
            })
    void aPatternThatProbablyMeansSomethingElseIsExplained(String pattern, String explanation) {
        assertThat(CapabilityPatternChecker.findProblem(pattern))
                .hasValueSatisfying(problem ->
                        assertThat(problem).startsWith("capability '").contains(explanation));
    }
}
