package dev.gavel.app.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.TestSocket;
import dev.gavel.mcpx.json.Json;
import org.junit.jupiter.api.Test;

/** Tests {@code gavel calls}. */
class CallsCommandTest extends CommandTestBase {
    @Test
    void callsAreListedWithTheirOutcome() throws Exception {
        String id = proposeWrite();
        try (TestSocket files = runner("files")) {
            RunningCommand approval = type("alice", "approve", "ops", id, "--to", "files", "--yes");
            answer(files, "\"result\":{\"content\":[]}");
            approval.awaitEnd();
        }
        await().until(() -> run("bob", "calls", "ops", "--outcome", "ok").out().contains("write_file"));
        RunningCommand.Result table = run("bob", "calls", "ops");
        assertThat(table.out()).contains("TIME", "OUTCOME", "alice", "files", "write_file", "ok", id);
        Json json = run("bob", "calls", "ops", "--by", "alice", "--since", "1h", "--json")
                .json();
        assertThat(json.at("calls").elements()).hasSize(1);
        assertThat(json.at("calls").elements().getFirst().at("proposal").text()).isEqualTo(id);
        assertThat(json.at("gaps").elements()).isEmpty();
        assertThat(run("bob", "calls", "ops", "--by", "files").out()).isEqualTo("no recorded calls in ops\n");
    }

    @Test
    void whatCannotBeAskedForIsSaid() throws Exception {
        assertThat(run("bob", "calls", "ops", "--outcome", "fine").err()).contains("undelivered");
        assertThat(run("bob", "calls", "ops", "--since", "noon").err()).contains("--since must be a duration");
        assertThat(run("bob", "calls", "ops", "--limit", "0").err()).contains("--limit must be at least 1");
        assertThat(run("alice", "calls", "relay").err()).contains("no ledger");
    }
}
