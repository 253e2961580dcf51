package dev.gavel.gateway.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.RawPayload;
import dev.gavel.mcpx.json.Json;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class CallParamsDigestTest {
    private static String digest(String params) {
        return CallParamsDigest.of(Json.parse(params).orElseThrow());
    }

    @Test
    void itIsTheHashOfTheCanonicalParameters() {
        // printf '%s' '{"arguments":{"a":[1,true,null],"b":"x\ny"},"name":"t"}' | sha256sum
        assertThat(digest("{\"name\" : \"t\", \"arguments\": {\"b\": \"x\\ny\", \"a\": [1, true, null]}}"))
                .isEqualTo("f385551bcfa0d54ba5dd0caf795c246463f0ddc24ae3ec55b828972feddb60a5");
    }

    @Test
    void orderSpaceEscapesAndMetaDoNotMatter() {
        assertThat(digest("{\"_meta\":{\"progressToken\":1},\"name\":\"t\",\"arguments\":{\"b\":\"\\u0072\",\"a\":1}}"))
                .isEqualTo(digest("{ \"arguments\" : {\"a\":1, \"b\":\"r\"}, \"name\":\"t\" }"));
    }

    @Test
    void everyOtherDifferenceMatters() {
        String digest = digest("{\"name\":\"t\",\"arguments\":{\"n\":9007199254740993}}");
        assertThat(digest("{\"name\":\"t\",\"arguments\":{\"n\":9007199254740992}}"))
                .isNotEqualTo(digest);
        assertThat(digest("{\"name\":\"u\",\"arguments\":{\"n\":9007199254740993}}"))
                .isNotEqualTo(digest);
        assertThat(digest("{\"name\":\"t\",\"arguments\":{\"n\":\"9007199254740993\"}}"))
                .isNotEqualTo(digest);
        assertThat(digest("{\"name\":\"t\",\"arguments\":{\"_meta\":1,\"n\":9007199254740993}}"))
                .isNotEqualTo(digest);
    }

    @Test
    void aRequestWithoutParametersHasTheDigestOfNone() {
        RawPayload request = RawPayload.of("{\"method\":\"tools/call\"}".getBytes(StandardCharsets.UTF_8));
        assertThat(CallParamsDigest.of(request)).isEqualTo(digest("{}"));
    }
}
