package dev.gavel.mcpx;

import static dev.gavel.mcpx.EnvelopeFixtures.bytes;
import static dev.gavel.mcpx.EnvelopeFixtures.envelope;
import static dev.gavel.mcpx.EnvelopeFixtures.json;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests hostile input to the envelope reader: every case is refused with a short message and causes no harm. */
class HostileInputTest {
    private final EnvelopeReader reader = new EnvelopeReader(EnvelopeLimits.DEFAULT);

    private EnvelopeRefusal readMalformed(byte[] bytes) {
        EnvelopeReadResult envelopeReadResult = reader.read(bytes);
        assertThat(envelopeReadResult).isInstanceOf(EnvelopeRefusal.class);
        EnvelopeRefusal refusal = (EnvelopeRefusal) envelopeReadResult;
        assertThat(refusal.code()).isEqualTo(EnvelopeErrorCode.MALFORMED);
        assertThat(refusal.message()).hasSizeBetween(20, 500).doesNotContainPattern("\\p{Cntrl}");
        return refusal;
    }

    private EnvelopeRefusal readMalformed(String text) {
        return readMalformed(bytes(json(text)));
    }

    /** An envelope with this value in its payload. */
    private static String envelopeWithValue(String value) {
        return envelope("x.y", "{'a':" + value + "}", "");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "\u0000",
                "null",
                "true",
                "1",
                "'x'",
                "[]",
                "[{}]",
                "{",
                "}",
                "{]",
                "[}",
                "{}{}",
                "{},",
                "{} x",
                "{}\u0000",
                "{1:2}",
                "{a:1}",
                "{'a'}",
                "{'a':}",
                "{'a':1,}",
                "{,}",
                "{'a' 1}",
                "{'a':1 'b':2}",
                "//{}",
                "/**/{}",
                "{}//",
                "#",
                "\uFEFF{}",
                "{}\uFEFF",
                "\u00A0{}",
                "\u000B{}",
                "(function(){})",
                "<xml/>",
                ")]}'\n{}"
            })
    void whatIsNotOneJsonObject(String text) {
        readMalformed(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NaN",
                "Infinity",
                "-Infinity",
                "+1",
                "-",
                "--1",
                "01",
                "-01",
                "1.",
                ".5",
                "1e",
                "1e+",
                "0x10",
                "1_000",
                "1a",
                "tru",
                "True",
                "nul",
                "undefined",
                "'\\x41'",
                "'\\u12'",
                "'\\u12G4'",
                "'\\'",
                "'a\nb'",
                "'a\tb'",
                "'\u0000'",
                "'\\ud800'",
                "'\\udc00'",
                "'\\udc00\\ud800'",
                "'\\ud800\\ud800\\udc00'",
                "'\\ud83dx'",
                "'\\ud83d\\u0041'",
                "[1,]",
                "[,1]",
                "[1 2]",
                "{'b':1,'b':2}",
                "{'b':1,'\\u0062':2}",
                "{'':1,'':2}",
                "[{'c':{'b':1,'b':1}}]",
                "{'b':{},'c':[],'b':null}",
                "/**/1",
                "1//",
                "`x`"
            })
    void whatIsNotSoundJsonWithinThePayload(String value) {
        assertThat(ReferenceJsonParser.read(bytes(json(envelopeWithValue(value)))))
                .isNull();
        readMalformed(envelopeWithValue(value));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-0",
                "0.0e-0",
                "1E400",
                "123456789012345678901234567890",
                "'\\ud83d\\ude00'",
                "'\\\\ud800'",
                "'\\\\\\\\'",
                "'\u2028\uFFFF\uFEFF'",
                "'\u007f'",
                "{'b':{'b':{'b':1}}}",
                "[{'b':1},{'b':1}]",
                "{'b':1,'B':1}",
                "{'e\\u0301':1,'\\u00e9':2}"
            })
    void strangeButSoundJsonIsTaken(String value) {
        assertThat(ReferenceJsonParser.read(bytes(json(envelopeWithValue(value)))))
                .isNotNull();
        assertThat(reader.read(bytes(json(envelopeWithValue(value))))).isInstanceOf(Envelope.class);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ,'id':'2'               | 'id' is repeated
            ,'from':'a','from':'b'  | 'from' is repeated
            ,'from':'a','fr\\u006fm':'b' | 'from' is repeated
            ,'\\u0066rom':'a','from':'b' | 'from' is repeated
            ,'x':1,'x':1            | 'x' is repeated
            ,'payload':{}           | 'payload' is repeated
            ,'p\\u0061yload':{}     | 'payload' is repeated
            ,'kind':'x.y'           | 'kind' is repeated
            """)
    void aRepeatedNameIsMalformedHoweverItIsWritten(String more, String message) {
        assertThat(readMalformed(envelope("x.y", "{}", more)).message()).contains(message);
    }

    /** Go's encoding/json, for example, ignores case, and would take the last of two such names. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            tools/call         | 'params':{'name':'read_x','Name':'write_file'}       | 'Name'
            tools/call         | 'params':{'N\\u0041me':'write_file','name':'read_x'} | 'NAme'
            tools/call         | 'params':{'name':'read_x','Arguments':{'p':1}}       | 'Arguments'
            tools/call         | 'params':{'name':'read_x','argument\\u017f':{'p':1}} | 'argumentſ'
            tools/call         | 'params':{'name':'read_x','URI':5}                   | 'URI'
            prompts/get        | 'params':{'name':'read_x','_META':null}              | '_META'
            resources/read     | 'params':{'uri':'a','Uri':'b'}                       | 'Uri'
            resources/anything | 'params':{'uri':'a','Uri':'b'}                       | 'Uri'
            tools/call         | 'params':{'name':'read_x'},'Params':{'name':'w'}     | 'Params'
            tools/call         | 'params':{'name':'read_x'},'param\\u017f':{}         | 'paramſ'
            tools/call         | 'Method':'tools/list','params':{'name':'read_x'}     | 'Method'
            tools/list         | 'METHOD':'tools/call'                                | 'METHOD'
            """)
    void aNameThatDiffersOnlyInCaseFromACheckedOneIsMalformed(String method, String fields, String variant) {
        for (String operation : new String[] {"mcp.request.", "mcp.proposal."}) {
            String payload = "{'method':'" + method + "'," + fields + "}";
            String kindFirst = envelope(operation + method, payload, "");
            String payloadFirst =
                    "{'protocol':'mcpx/v0.1','id':'e-1','payload':" + payload + ",'kind':'" + operation + method + "'}";
            assertThat(readMalformed(kindFirst).message()).contains(variant, "only in case");
            assertThat(readMalformed(payloadFirst).message()).contains(variant, "only in case");
            assertThat(new EnvelopeReader(EnvelopeLimits.NONE).read(bytes(kindFirst)))
                    .as("stored envelopes stay readable")
                    .isInstanceOf(Envelope.class);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            tools/call | {'name':'a','arguments':{'Name':1,'name':2,'URI':3,'_Meta':4}}
            tools/call | {'name':'a','names':1,'mane':1,'Argument':1,'_meto':1,'url':1,'Title':'t'}
            x/y        | {'Name':'a','name':'b','Arguments':{}}
            """)
    void otherNamesMayBeWrittenInAnyCase(String method, String params) {
        assertThat(reader.read(bytes(envelope(
                        "mcp.request." + method,
                        json("{'method':'" + method + "','Medium':1,'Result':1,'params':" + params + "}"),
                        ""))))
                .isInstanceOf(Envelope.class);
    }

    @Test
    void aRepetitionIsFoundAmongManyNames() {
        for (int count : new int[] {2, 11, 12, 13, 24, 25, 26, 63, 64, 65, 1000}) {
            String names =
                    IntStream.range(0, count).mapToObj(i -> "'n" + i + "':" + i).collect(Collectors.joining(","));
            assertThat(reader.read(bytes(json(envelopeWithValue("{" + names + "}")))))
                    .as("%d names", count)
                    .isInstanceOf(Envelope.class);
            for (int again : new int[] {0, count / 2, count - 1}) {
                assertThat(readMalformed(envelopeWithValue("{" + names + ",'n" + again + "':0}"))
                                .message())
                        .contains("'n" + again + "' is repeated");
            }
            // The same names in a sibling, or in an object around a nested one that has them too, are not repetitions.
            assertThat(reader.read(
                            bytes(json(envelopeWithValue("[{" + names + "},{" + names + ",'o':{" + names + "}}]")))))
                    .isInstanceOf(Envelope.class);
            assertThat(readMalformed(envelopeWithValue("{" + names + ",'o':{" + names + "},'n0':1}"))
                            .message())
                    .contains("'n0' is repeated");
        }
    }

    @Test
    void namesOfTheSameHashAreToldApart() {
        // "Aa" and "BB" have the same hash; so have all combinations of them.
        var names = IntStream.range(0, 1024)
                .mapToObj(i -> IntStream.range(0, 10)
                        .mapToObj(bit -> ((i >> bit) & 1) == 0 ? "Aa" : "BB")
                        .collect(Collectors.joining()))
                .toList();
        String fields = names.stream().map(name -> "'" + name + "':0").collect(Collectors.joining(","));
        assertThat(reader.read(bytes(json(envelopeWithValue("{" + fields + "}")))))
                .isInstanceOf(Envelope.class);
        assertThat(readMalformed(envelopeWithValue("{" + fields + ",'" + names.get(500) + "':0}"))
                        .message())
                .contains("is repeated");
    }

    @Test
    void anEnvelopeCutOffAnywhereIsMalformed() {
        byte[] whole = bytes(
                json(
                        "{'protocol':'mcpx/v0.1','id':'é😀','to':['a','b'],'kind':'mcp.request.tools/call','x':[1.5e3,true,null],"
                                + "'correlationId':'p','payload':{'method':'tools/call','params':{'name':'x\\u00e9\\ud83d\\ude00'}}}"));
        assertThat(reader.read(whole)).isInstanceOf(Envelope.class);
        for (int length = 0; length < whole.length; length++) {
            readMalformed(Arrays.copyOf(whole, length));
        }
    }

    @Test
    void noByteMayBeMissingOrSetToNothing() {
        byte[] whole = bytes(json("{'protocol':'mcpx/v0.1','id':'1','kind':'x.y','payload':{'a':[1,2]}}"));
        for (int i = 0; i < whole.length; i++) {
            byte[] broken = whole.clone();
            broken[i] = 0;
            readMalformed(broken);
            broken[i] = (byte) 0xFF;
            readMalformed(broken);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "80",
                "BF",
                "C0AF",
                "C1BF",
                "C2",
                "C220",
                "E08080",
                "E09FBF",
                "E282",
                "E28228",
                "EDA080",
                "EDBFBF",
                "EDA0BDEDB880",
                "F08080AF",
                "F08FBFBF",
                "F0908D",
                "F4908080",
                "F5808080",
                "F8888080",
                "FC8080808080",
                "FE",
                "FF",
                "C3"
            })
    void bytesThatAreNotUtf8AreMalformedInValuesAndNames(String hex) throws Exception {
        for (String place : new String[] {
            envelopeWithValue("'#'"),
            envelope("x.y", "{'#':1}", ""),
            envelope("x.y", "{}", ",'#':1"),
            envelope("x.y", "{}", ",'to':['#']"),
            "#" + envelopeWithValue("1"),
            envelopeWithValue("1") + "#"
        }) {
            var text = new ByteArrayOutputStream();
            String[] parts = json(place).split("#", -1);
            text.write(bytes(parts[0]));
            text.write(HexFormat.of().parseHex(hex));
            text.write(bytes(parts[1]));
            assertThat(ReferenceJsonParser.read(text.toByteArray())).isNull();
            readMalformed(text.toByteArray());
        }
    }

    @Test
    void utf16AndUtf32AreNotGuessed() {
        for (String charset : new String[] {"UTF-16LE", "UTF-16BE", "UTF-16", "UTF-32LE", "UTF-32BE"}) {
            assertThat(readMalformed(json(envelopeWithValue("1")).getBytes(Charset.forName(charset)))
                            .message())
                    .containsAnyOf("not valid JSON", "not UTF-8");
        }
    }

    @Test
    void depthIsBounded() {
        // The envelope and its payload are two levels themselves.
        assertThat(reader.read(bytes(json(envelopeWithValue("[".repeat(98) + "]".repeat(98))))))
                .isInstanceOf(Envelope.class);
        assertThat(readMalformed(envelopeWithValue("[".repeat(99) + "]".repeat(99)))
                        .message())
                .contains("100 levels");
        assertThat(readMalformed(envelopeWithValue("{'b':".repeat(99) + "1" + "}".repeat(99)))
                        .message())
                .contains("100 levels");
        readMalformed("[".repeat(1_000_000));
        readMalformed("{'a':".repeat(200_000));
    }

    @Test
    void numbersNamesAndFieldsAreBounded() {
        assertThat(readMalformed(envelopeWithValue("1".repeat(1001))).message()).contains("numbers of 1000");
        assertThat(readMalformed(envelopeWithValue("0." + "1".repeat(5000))).message())
                .contains("numbers of 1000");
        assertThat(reader.read(bytes(json(envelopeWithValue("{'" + "n".repeat(1024) + "':1}")))))
                .isInstanceOf(Envelope.class);
        assertThat(readMalformed(envelopeWithValue("{'" + "n".repeat(1025) + "':1}"))
                        .message())
                .contains("names of 1024");
        String many = IntStream.range(0, 10_001).mapToObj(i -> "'n" + i + "':0").collect(Collectors.joining(","));
        assertThat(readMalformed(envelopeWithValue("{" + many + "}")).message()).contains("more than 10000 fields");
        String tooMany =
                IntStream.range(0, 100_000).mapToObj(i -> "'" + i + "':0").collect(Collectors.joining(","));
        readMalformed("{" + tooMany + "}");
        assertThat(readMalformed(envelopeWithValue("[" + "0,".repeat(260_000) + "0]"))
                        .message())
                .contains("250000 names and values");
    }

    @Test
    void lengthIsBounded() {
        String most = envelopeWithValue(
                "'" + "x".repeat(1024 * 1024 - envelopeWithValue("''").length()) + "'");
        assertThat(reader.read(bytes(json(most)))).isInstanceOf(Envelope.class);
        assertThat(reader.read(bytes(json(most) + " ")))
                .isInstanceOfSatisfying(
                        EnvelopeRefusal.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(EnvelopeErrorCode.TOO_LARGE));
    }

    @Test
    void anAnswerMayBeLonger() {
        EnvelopeReader small = new EnvelopeReader(EnvelopeLimits.DEFAULT.withBytes(1000, 20_000));
        String answer = json("{'protocol':'mcpx/v0.1','id':'a','to':['b'],'correlationId':'r',"
                + "'kind':'mcp.response.tools/call','payload':{'id':1,'result':{'data':'");
        String end = json("'}}}");
        byte[] longest = bytes(answer + "x".repeat(20_000 - answer.length() - end.length()) + end);
        assertThat(small.read(longest)).isInstanceOf(Envelope.class);
        assertTooLarge(small.read(bytes(answer + "x".repeat(20_000) + end)), "for an answer, 20000");
        String request = new String(longest, StandardCharsets.UTF_8).replace("mcp.response", "mcp.request");
        assertTooLarge(small.read(bytes(request)), "the limit is 1000.");
        assertTooLarge(small.read(new byte[2000]), "the limit is 1000.");
    }

    private static void assertTooLarge(EnvelopeReadResult result, String message) {
        assertThat(result).isInstanceOfSatisfying(EnvelopeRefusal.class, refusal -> {
            assertThat(refusal.code()).isEqualTo(EnvelopeErrorCode.TOO_LARGE);
            assertThat(refusal.message()).contains(message);
        });
    }

    @Test
    void whatIsSentIsNeverEchoedAtLength() {
        String huge = "x".repeat(100_000);
        readMalformed("{'" + huge + "':1,'" + huge + "':2}");
        readMalformed(envelope(huge, "{}", ""));
        readMalformed(envelope("x.y", "{}", ",'ts':'" + huge + "'"));
        readMalformed(envelope("chat.message", "{'text':'','format':'" + huge + "'}", ""));
        readMalformed(envelope("mcpx.status.proposal", "{'status':'\u001b[31m" + huge + "'}", ",'correlationId':'p'")
                .replace("\u001b", "\\u001b"));
        readMalformed(envelope("x.y", "{}", ",'to':['can:" + "y".repeat(2000) + "']"));
        readMalformed("{'a':" + huge + "}");
        EnvelopeRefusal other =
                (EnvelopeRefusal) reader.read(bytes(json("{'protocol':'" + huge + "','id':'" + huge + "'}")));
        assertThat(other.code()).isEqualTo(EnvelopeErrorCode.UNSUPPORTED_PROTOCOL);
        assertThat(other.message()).hasSizeLessThan(300);
        assertThat(other.id()).isNull();
        Envelope mismatch = (Envelope)
                reader.read(bytes(envelope("mcp.request.tools/call", json("{'method':'" + huge + "'}"), "")));
        assertThat(mismatch.findKindPayloadMismatch())
                .isNotNull()
                .satisfies(refusal -> assertThat(refusal.message()).hasSizeLessThan(400));
    }

    @Test
    void newNamesInEveryMessageAreNotRememberedForEver() {
        var json = new StrictJsonParserFactory(EnvelopeLimits.DEFAULT);
        for (int i = 0; i < 3000; i++) {
            byte[] text = bytes("{\"name-" + i + "\":{\"again\":1}}");
            try (var parser = json.createParser(text, 0, text.length)) {
                while (parser.nextToken() != null) {
                    assertThat(json.cachedNameCount()).isLessThan(500);
                }
            }
        }
    }

    @Test
    void manyThreadsMayReadAtOnce() {
        var texts = IntStream.range(0, 2000)
                .mapToObj(i -> bytes(new EnvelopePropertiesTest.RandomEnvelope(new Random(i)).text()))
                .toList();
        assertThat(texts.parallelStream().map(reader::read)).allMatch(Envelope.class::isInstance);
    }

    @Test
    void newNamesInEveryMessageDoNotSpoilTheReader() {
        for (int i = 0; i < 3000; i++) {
            String name = "n" + i + "-" + "abcdefghijklmnopqrstuvwxyz".substring(i % 20);
            assertThat(reader.read(bytes(json(envelopeWithValue("{'" + name + "':1}")))))
                    .isInstanceOf(Envelope.class);
            readMalformed(envelopeWithValue("{'" + name + "':1,'" + name + "':2}"));
        }
    }

    @Test
    void reasonsAndNotesAreBounded() {
        String remark =
                "{\"protocol\":\"mcpx/v0.1\",\"id\":\"r\",\"kind\":\"mcpx.reject.proposal\",\"correlationId\":\"p\","
                        + "\"payload\":{\"reason\":\"%s\",\"note\":\"%s\"}}";
        EnvelopeReader reader = new EnvelopeReader(EnvelopeLimits.DEFAULT);
        String longest = "x".repeat(4000);
        assertThat(reader.read(remark.formatted(longest, longest).getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(Envelope.class);
        assertThat(reader.read(remark.formatted(longest + "x", "").getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(EnvelopeRefusal.class);
        assertThat(reader.read(remark.formatted("", longest + "x").getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(EnvelopeRefusal.class);
    }
}
