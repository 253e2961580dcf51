package dev.gavel.mcp.facade.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.json.Json;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that a server's response cannot suppress the note that a reviewer edited the call. */
class EditedCallNoticeTest {
    private static final EditedCallNotice NOTICE =
            new EditedCallNotice(Optional.of("alice"), "alice", json("{'path':'x'}"), Json.object());
    private static final String DECISION = "{\"decidedBy\":\"alice\",\"edited\":true,\"arguments\":{\"path\":\"x\"}}";

    private static Json json(String text) {
        return Json.parse(text.replace('\'', '"')).orElseThrow();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {'code':1,'message':'no'}                   |
            {'code':1,'message':'no','data':{}}         |
            {'code':1,'message':'no','data':'text'}     | "text"
            {'code':1,'message':'no','data':[1, 2]}     | [1, 2]
            {'code':1,'message':'no','data':null}       | null
            {'code':1,'message':'no','data':1.50}       | 1.50
            'no'                                        |
            """)
    void anErrorHasTheDecisionWhateverItsDataIs(String error, String keptData) {
        Json marked = NOTICE.addToError(json(error));
        assertThat(marked.at("data").at("dev.gavel/decision").raw()).isEqualTo(DECISION);
        assertThat(marked.at("message").text()).startsWith("no [Gavel: alice edited this call");
        assertThat(marked.at("code").isPresent()).isTrue();
        assertThat(marked.at("data").at("dev.gavel/data").isPresent()).isEqualTo(keptData != null);
        if (keptData != null) {
            assertThat(marked.at("data").at("dev.gavel/data").raw()).isEqualTo(keptData);
        }
    }

    @Test
    void anInvalidResultHasTheDecisionToo() {
        RpcMessage response = CallResponseFactory.result(
                "1",
                new CallTarget("files", "tools/call", "rm"),
                "p-1",
                new CallResult.Completed(json("{'result':5}"), true, Optional.of(NOTICE)));
        assertThat(((RpcMessage.ErrorResponse) response).error()).contains(DECISION);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {'content':[]}
            {'content':[],'_meta':'text'}
            {'content':[],'_meta':[]}
            {'content':5,'_meta':null}
            """)
    void aResultHasTheDecisionWhateverItsMetaIs(String result) {
        assertThat(NOTICE.addTo(json(result), "tools/call")
                        .at("_meta")
                        .at("dev.gavel/decision")
                        .raw())
                .isEqualTo(DECISION);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {'content':[]}
            {'content':null}
            {'structuredContent':{}}
            """)
    void aResultWithoutContentHasTheSentenceToo(String result) {
        assertThat(NOTICE.addTo(json(result), "tools/call")
                        .at("content")
                        .elements()
                        .getLast()
                        .at("text")
                        .text())
                .startsWith("[Gavel: alice edited this call");
    }
}
