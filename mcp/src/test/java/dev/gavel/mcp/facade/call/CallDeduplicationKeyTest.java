package dev.gavel.mcp.facade.call;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CallDeduplicationKeyTest {
    private static CallDeduplicationKey key(String params) {
        return CallDeduplicationKey.of(
                "helper", new CallTarget("files", "tools/call", "write"), params.replace('\'', '"'));
    }

    @Test
    void theOrderOfNamesAndMetadataDoNotCount() {
        assertThat(key("{'name':'write','arguments':{'a':1,'b':{'c':[1,2],'d':null}},'_meta':{'progressToken':7}}"))
                .isEqualTo(key("{'arguments':{'b':{'d':null,'c':[1,2]},'a':1},'_meta':{'progressToken':'x'},"
                        + "'name':'files__write'}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'arguments':{'a':1}}",
                "{'arguments':{'a':1,'b':[2,1]}}",
                "{'arguments':{'a':1.0,'b':[1,2]}}",
                "{'arguments':{'a':'1','b':[1,2]}}",
                "{'arguments':{'a':1,'b':[1,2]},'_meta':{'dev.gavel/callId':'second'}}"
            })
    void otherArgumentsAndCallIdsMakeAnotherCall(String params) {
        assertThat(key(params)).isNotEqualTo(key("{'arguments':{'a':1,'b':[1,2]}}"));
    }
}
