package dev.gavel.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.gavel.mcpx.Capabilities;
import dev.gavel.mcpx.ErrorCode;
import dev.gavel.mcpx.Limits;
import org.junit.jupiter.api.Test;

/** What somebody is told who may not send what they sent. */
class AdmissionTest {
    private static final String WITHDRAWAL =
            "{'protocol':'mcpx/v0.1','id':'w-1','kind':'mcpx.withdraw.proposal','correlationId':'p-1','payload':{}}";

    private static String call(String tool) {
        return "{'protocol':'mcpx/v0.1','id':'r-1','kind':'mcp.request.tools/call','payload':"
                + "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'" + tool
                + "','arguments':{'path':'/etc/motd'}}}}";
    }

    private static String refusal(String capabilities, String envelope) {
        Capabilities some = Capabilities.fromJson(quoted(capabilities)).orThrow();
        Verdict verdict = new Admission(Limits.DEFAULT).judge(quoted(envelope), new Member("helper", some));
        assertThat(verdict)
                .asInstanceOf(type(Verdict.Refuse.class))
                .extracting(refused -> refused.refusal().code())
                .isEqualTo(ErrorCode.CAPABILITY_VIOLATION);
        return ((Verdict.Refuse) verdict).refusal().message();
    }

    private static byte[] quoted(String text) {
        return text.replace('\'', '"').getBytes(UTF_8);
    }

    @Test
    void theCapabilityThatIsMissingIsNamed() {
        assertThat(refusal("['mcp.proposal.*']", WITHDRAWAL))
                .isEqualTo("None of your capabilities admits this envelope."
                        + " Ask whoever runs this gateway for the capability 'mcpx.withdraw.proposal'.");
        assertThat(refusal("[]", call("write_file"))).endsWith("'mcp.request.tools/call:write_file'.");
    }

    @Test
    void whatMayBeProposedIsToBeProposed() {
        assertThat(refusal("['mcp.proposal.*']", call("write_file")))
                .endsWith("You may propose it: send it as mcp.proposal.tools/call:write_file.");
    }

    @Test
    void noCapabilityIsNamedThatIsThereAlreadyOrThatWouldAdmitMore() {
        String unnamed = "Ask whoever runs this gateway for one that does.";
        String withinTmp = "[{'kind':'mcp.request.tools/call:write_file',"
                + "'payload':{'params':{'arguments':{'path':'/tmp/*'}}}}]";
        assertThat(refusal(withinTmp, call("write_file"))).endsWith(unnamed);
        assertThat(refusal("[]", call("write_*"))).endsWith(unnamed);
        assertThat(refusal("[]", call("x".repeat(100)))).endsWith(unnamed);
    }
}
