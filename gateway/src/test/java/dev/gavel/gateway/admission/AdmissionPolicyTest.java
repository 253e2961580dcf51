package dev.gavel.gateway.admission;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.gavel.gateway.member.Member;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.EnvelopeLimits;
import org.junit.jupiter.api.Test;

/** The error messages for members that send an envelope without the capability. */
class AdmissionPolicyTest {
    private static final String WITHDRAWAL =
            "{'protocol':'mcpx/v0.1','id':'w-1','kind':'mcpx.withdraw.proposal','correlationId':'p-1','payload':{}}";

    private static String call(String tool) {
        return "{'protocol':'mcpx/v0.1','id':'r-1','kind':'mcp.request.tools/call','payload':"
                + "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'" + tool
                + "','arguments':{'path':'/etc/motd'}}}}";
    }

    private static String refusal(String capabilities, String envelope) {
        CapabilitySet some = CapabilitySet.fromJson(quoted(capabilities)).orThrow();
        AdmissionResult admissionResult =
                new AdmissionPolicy(EnvelopeLimits.DEFAULT).check(quoted(envelope), new Member("helper", some));
        assertThat(admissionResult)
                .asInstanceOf(type(AdmissionResult.Refused.class))
                .extracting(refused -> refused.refusal().code())
                .isEqualTo(EnvelopeErrorCode.CAPABILITY_VIOLATION);
        return ((AdmissionResult.Refused) admissionResult).refusal().message();
    }

    private static byte[] quoted(String text) {
        return text.replace('\'', '"').getBytes(UTF_8);
    }

    @Test
    void theCapabilityThatIsMissingIsNamed() {
        assertThat(refusal("['mcp.proposal.*']", WITHDRAWAL))
                .isEqualTo("None of your capabilities allows this envelope."
                        + " Ask an admin for the capability 'mcpx.withdraw.proposal'.");
        assertThat(refusal("[]", call("write_file"))).endsWith("'mcp.request.tools/call:write_file'.");
    }

    @Test
    void whatMayBeProposedIsToBeProposed() {
        assertThat(refusal("['mcp.proposal.*']", call("write_file")))
                .endsWith("You can propose it instead: send it as mcp.proposal.tools/call:write_file.");
    }

    @Test
    void noCapabilityIsNamedThatIsThereAlreadyOrThatWouldAdmitMore() {
        String unnamed = "Ask an admin for a capability that allows it.";
        String withinTmp = "[{'kind':'mcp.request.tools/call:write_file',"
                + "'payload':{'params':{'arguments':{'path':'/tmp/*'}}}}]";
        assertThat(refusal(withinTmp, call("write_file"))).endsWith(unnamed);
        assertThat(refusal("[]", call("write_*"))).endsWith(unnamed);
        assertThat(refusal("[]", call("x".repeat(100)))).endsWith(unnamed);
    }
}
