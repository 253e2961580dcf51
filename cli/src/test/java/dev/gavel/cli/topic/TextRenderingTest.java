package dev.gavel.cli.topic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.cli.CommandOutput;
import dev.gavel.cli.TerminalStyle;
import dev.gavel.cli.TextTable;
import dev.gavel.cli.proposal.ArgumentDiff;
import dev.gavel.cli.proposal.ProposalDetailPrinter;
import dev.gavel.cli.proposal.ProposalTextFormatter;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.ToolResultTextRenderer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests how proposals, results and envelopes are formatted for people. */
class TextRenderingTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private final StringWriter out = new StringWriter();

    private CommandOutput output(boolean terminal, int width) {
        return new CommandOutput(new PrintWriter(out), new PrintWriter(out), false, terminal, terminal, () -> width);
    }

    private static Json json(String text) {
        return Json.parse(text).orElseThrow();
    }

    @Test
    void aCallIsFormattedInCommandLineSyntax() {
        assertThat(ProposalTextFormatter.describeCall(json("""
                        {"method":"tools/call","params":{"name":"write","arguments":
                          {"path":"/tmp/x","text":"two words","n":1.50,"deep":{ "a": true }}}}"""), "p1"))
                .isEqualTo("write path=/tmp/x text=\"two words\" n:=1.50 deep:={\"a\":true}");
        assertThat(ProposalTextFormatter.describeCall(
                        json("{\"method\":\"resources/read\",\"params\":{\"uri\":\"file:///x\"}}"), "p1"))
                .isEqualTo("resources/read file:///x");
        assertThat(ProposalTextFormatter.describeCall(json("{\"method\":\"tools/list\"}"), "p1"))
                .isEqualTo("tools/list");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            tools/call     | {"name":"w","arguments":["rm -rf /"]}               | w arguments:=["rm -rf /"]
            tools/call     | {"name":"w","arguments":"rm"}                       | w arguments=rm
            tools/call     | {"name":"w","arguments":null}                       | w arguments:=null
            tools/call     | {"name":"w","arguments":{"a":1},"task":{"ttl":1}}   | w a:=1 (and 1 other parameter: task:={"ttl":1})
            tools/call     | {"name":"w","uri":"u","x":2}                        | w (and 2 other parameters: uri=u x:=2)
            tools/call     | {"name":["w"]}                                      | tools/call (and 1 other parameter: name:=["w"])
            tools/call     | {"name":"w","_meta":{"a":1}}                        | w (and 7 characters of metadata from the client)
            tools/call     | {"name":"w","x":1,"_meta":{"a":1}}                  | w (and 1 other parameter: x:=1; 7 characters of metadata from the client)
            tools/call     | {"name":"w","_meta":{"progressToken":"p1"}}         | w
            resources/read | {"name":"harmless","uri":"file:///x"}               | resources/read file:///x (and 1 other parameter: name=harmless)
            """)
    void noParameterOfACallIsLeftOut(String method, String params, String text) {
        assertThat(ProposalTextFormatter.describeCall(
                        json("{\"method\":\"" + method + "\",\"params\":" + params + "}"), "p1"))
                .isEqualTo(text);
    }

    @Test
    void resultTextIsPrintedAsText() {
        assertThat(ToolResultTextRenderer.render(json("""
                        {"jsonrpc":"2.0","id":"1","result":{"content":[{"type":"text","text":"a\\nb\\u001b[0m\\n"},
                          {"type":"image","mimeType":"image/png","data":"AAAA"},
                          {"type":"resource","resource":{"uri":"file:///x","text":"inside"}}]}}"""))).isEqualTo("a\nb\\u001b[0m\n[image image/png]\ninside");
        assertThat(ToolResultTextRenderer.render(json("{\"result\":{\"n\":1.0}}")))
                .isEqualTo("{\n  \"n\": 1.0\n}");
        assertThat(ToolResultTextRenderer.render(json("{\"error\":{\"code\":-32000,\"message\":\"disk full\"}}")))
                .isEqualTo("error -32000: disk full");
    }

    @Test
    void theDiffContainsOnlyEditedArguments() {
        ArgumentDiff argumentDiff = new ArgumentDiff(
                json("{\"name\":\"w\",\"arguments\":{\"path\":\"/etc/x\",\"n\":1,\"gone\":null}}"),
                json("{\"name\":\"w\",\"arguments\":{\"n\": 1,\"path\":\"/tmp/x\",\"new\":[1]}}"));
        assertThat(argumentDiff.lines().stream().map(ArgumentDiff.DiffLine::text))
                .containsExactly("- gone: null", "+ new: [1]", "- path: \"/etc/x\"", "+ path: \"/tmp/x\"");
    }

    @Test
    void anArgumentCannotBeMistakenForTheCallsName() {
        ArgumentDiff argumentDiff = new ArgumentDiff(
                json("{\"name\":\"read\",\"arguments\":{\"(name)\":\"a\"}}"),
                json("{\"name\":\"delete\",\"arguments\":{\"(name)\":\"b\"}}"));
        assertThat(argumentDiff.lines().stream().map(ArgumentDiff.DiffLine::text))
                .containsExactly(
                        "- \"(name)\": \"a\"", "+ \"(name)\": \"b\"", "- (name): \"read\"", "+ (name): \"delete\"");
    }

    @Test
    void aTableFitsATerminalByCuttingOneColumn() {
        TextTable table = new TextTable(List.of("ID", "STATE", "WHAT", "MOVE"), 2);
        table.addRow(
                TerminalStyle.PLAIN, List.of("p-1", "open", "write path=/a/very/long/path/that/does/not/fit", "alice"));
        table.print(new CommandOutput(new PrintWriter(out), new PrintWriter(out), false, false, true, () -> 40));
        assertThat(out.toString()).isEqualTo("""
                ID   STATE  WHAT                   MOVE
                p-1  open   write path=/a/very/l…  alice
                """);
    }

    @Test
    void anEnvelopeIsOneLineWithTheReadersTime() {
        Json envelope = json("""
                {"protocol":"mcpx/v0.1","id":"p-1","ts":"2026-11-16T10:00:00Z","from":"agent\\u001b[31m","to":["files"],
                 "kind":"mcp.proposal.tools/call:write","payload":{"method":"tools/call","params":{"name":"write",
                 "arguments":{"path":"/x"}}}}""");
        assertThat(new EnvelopeLineFormatter(output(false, 80), BERLIN, envelope, Json.object()).format())
                .isEqualTo("11:00:00  agent\\u001b[31m → files  mcp.proposal.tools/call:write  p-1 write path=/x");
    }

    @Test
    void anEnvelopeShowsDisplayNamesWithTheIds() {
        Json envelope = json("""
                {"from":"you","to":["files"],"kind":"chat.message","payload":{"text":"hello"}}""");
        assertThat(new EnvelopeLineFormatter(output(false, 80), BERLIN, envelope, json("{\"you\":\"Owner\"}")).format())
                .isEqualTo("--:--:--  Owner (you) → files  chat.message  hello");
    }

    @Test
    void aResponseEnvelopeShowsItsText() {
        Json envelope = json("""
                {"from":"files","kind":"mcp.response.tools/call:write","correlationId":"r-1",
                 "payload":{"result":{"content":[{"type":"text","text":"5 bytes\\nwritten"}]}}}""");
        assertThat(new EnvelopeLineFormatter(output(false, 80), BERLIN, envelope, Json.object()).format())
                .isEqualTo("--:--:--  files → all  mcp.response.tools/call:write  r-1 5 bytes\\nwritten");
    }

    @Test
    void aStatusIsOverwrittenOnATerminal() {
        CommandOutput commandOutput = output(true, 20);
        commandOutput.showStatus("waiting for bob (connected)");
        commandOutput.showStatus("waiting\u001b[2J for bob");
        commandOutput.printLine("done");
        assertThat(out.toString())
                .isEqualTo("\r\u001b[Kwaiting for bob (c…\r\u001b[Kwaiting\\u001b[2J f…\r\u001b[Kdone\n");
    }

    @Test
    void proposalDetailsShowEverything() {
        Json proposal = json("""
                {"id":"p 1","from":"agent","to":["files"],"kind":"mcp.proposal.tools/call:write","payload":{"method":
                 "tools/call","params":{"name":"write","arguments":{"path":"/etc/x"}}},"state":"open","reasons":[],
                 "expiresAt":"2026-11-16T10:15:00Z","couldRun":["files"],"guidance":{"status":"waiting for you",
                 "mustAct":[{"who":"you","as":"reviewer","since":"2026-11-16T10:00:00Z"}],"waitingOn":[],
                 "nextStep":"Approve it.","toAdvance":[{"to":"fulfilled","whoMay":["you"],"youMay":true},
                 {"to":"rejected","whoMay":["you"],"youMay":true},{"to":"withdrawn","whoMay":["agent"],"youMay":false}],
                 "since":"2026-11-16T10:00:00Z","until":"2026-11-16T10:15:00Z","then":"it expires"},
                 "timeline":[{"at":"2026-11-16T10:00:00Z","event":"proposed","by":"agent"},
                 {"at":"2026-11-16T10:01:00Z","event":"rejected","by":"bob","reason":"busy","note":"at\\nlunch"},
                 {"at":"2026-11-16T10:02:00Z","event":"fulfilled","by":"you","to":["files"],"edited":true,
                  "proposedParams":{"arguments":{"path":"/etc/x"}},"fulfilledParams":{"arguments":{"path":"/tmp/x"}}},
                 {"at":"2026-11-16T10:03:00Z","event":"answered","by":"files","outcome":"succeeded","late":false,
                  "result":{"result":{"content":[{"type":"text","text":"one\\ntwo"}]}}}]}""");
        new ProposalDetailPrinter(
                        output(false, 80),
                        BERLIN,
                        Instant.parse("2026-11-16T10:05:00Z"),
                        "ops",
                        proposal,
                        ProposalDetailPrinter.MetadataDisplay.FULL)
                .print();
        assertThat(out.toString()).isEqualTo("""
                "p 1"  open
                  call        write
                  arguments   {
                                "path": "/etc/x"
                              }
                  effect      The Gavel server does not report what this call can do.
                  from        agent, to files
                  status      waiting for you
                  waiting for you
                  until       2026-11-16 11:15:00 (in 10m), then it expires
                  can run on  files
                  you can     gavel approve ops 'p 1'
                              gavel reject ops 'p 1' --reason REASON

                timeline (Europe/Berlin)
                  2026-11-16 11:00:00  proposed by agent
                  2026-11-16 11:01:00  abstention by bob: busy (at\\nlunch)
                  2026-11-16 11:02:00  approved by you, runs on files, with edited arguments
                              - path: "/etc/x"
                              + path: "/tmp/x"
                  2026-11-16 11:03:00  answered by files: succeeded
                              one
                              two
                """);
    }
}
