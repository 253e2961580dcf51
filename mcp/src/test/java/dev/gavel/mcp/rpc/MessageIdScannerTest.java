package dev.gavel.mcp.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests finding the id of a response that cannot be parsed. */
final class MessageIdScannerTest {
    private static MessageIdScanner scan(String text, int pieceLength) {
        MessageIdScanner scanner = new MessageIdScanner();
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        for (int start = 0; start < bytes.length; start += pieceLength) {
            scanner.scan(bytes, start, Math.min(bytes.length, start + pieceLength));
        }
        return scanner;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "{'id':7,'result':{'id':8}}                                      | 7",
                "{'result':{'id':8,'a':['id',{'id':9}]}, 'id' : 7 }              | 7",
                "{'result':'}],\\'id\\':8,\\\\','id':'seven'}                    | 'seven'",
                " \t{'result':[[[[{}]]]],'id':-7.0}                              | -7.0",
                "{'jsonrpc':'2.0','error':{'message':'\u00e9'},'id':7,'more':'{' | 7",
            })
    void findsTheIdAtTheTopLevelWhereverItStands(String text, String id) {
        for (int pieceLength : new int[] {1, 3, 1000}) {
            assertThat(scan(text.replace('\'', '"'), pieceLength).responseId()).contains(id.replace('\'', '"'));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'result':{'id':8}}",
                "{'result':{}}{'id':7}",
                "{'id':{'x':7},'result':1}",
                "{'id':[7],'result':1}",
                "{'id':null,'error':{}}",
                "{'result':{'id':7,",
                "['id',7]",
                "loaded {'jsonrpc':'2.0','id':7,'result':{}}",
                "{'level':'error','id':7,'error':'cancelled'}",
                "{'id':7,'name':{'result':1}}",
                "",
            })
    void findsNoIdWhereNoneStands(String text) {
        assertThat(scan(text.replace('\'', '"'), 1000).responseId()).isEmpty();
    }

    @Test
    void aRequestIsNotTakenForAResponse() {
        MessageIdScanner scanner = scan("{\"id\":7,\"params\":{\"method\":1},\"method\":\"ping\"}", 1000);
        assertThat(scanner.responseId()).isEmpty();
        assertThat(scanner.hasMethod()).isTrue();
    }

    @Test
    void anEndlessIdIsNotKept() {
        assertThat(scan("{\"id\":" + "7".repeat(1_000_000) + "}", 1000).responseId())
                .isEmpty();
    }
}
