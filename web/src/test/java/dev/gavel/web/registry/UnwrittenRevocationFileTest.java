package dev.gavel.web.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gavel.web.identity.TokenHash;
import dev.gavel.web.registry.RegistryChange.MemberRemoved;
import dev.gavel.web.registry.RegistryChange.TokenRevoked;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the file of revocations that are not in the ledger yet. */
class UnwrittenRevocationFileTest {
    private static final ChangeAttribution ALICE =
            new ChangeAttribution("alice", Instant.parse("2026-01-05T10:00:00Z"));
    private static final UnwrittenRevocations.Revocation FIRST = new UnwrittenRevocations.Revocation(
            "helper", List.of(new TokenRevoked("k-1", TokenHash.of("k-1")), new MemberRemoved("ops")), ALICE);
    private static final UnwrittenRevocations.Revocation SECOND =
            new UnwrittenRevocations.Revocation("bob \"\n", List.of(new MemberRemoved("lab")), ALICE);

    @TempDir
    private Path data;

    private Path file() {
        return data.resolve("unwritten-revocations");
    }

    @Test
    void revocationsAreReadAsTheyWereWritten() throws IOException {
        UnwrittenRevocationFile file = new UnwrittenRevocationFile(data);
        assertThat(file.read()).isEmpty();
        file.append(FIRST);
        file.append(SECOND);
        assertThat(new UnwrittenRevocationFile(data).read()).containsExactly(FIRST, SECOND);
        file.delete();
        assertThat(file()).doesNotExist();
    }

    @Test
    void aLineThatWasNotWrittenCompletelyIsIgnored() throws IOException {
        UnwrittenRevocationFile file = new UnwrittenRevocationFile(data);
        file.append(FIRST);
        Files.writeString(file(), "{\"name\":\"bo", StandardOpenOption.APPEND);
        assertThat(file.read()).containsExactly(FIRST);
        file.append(SECOND);
        assertThat(file.read()).containsExactly(FIRST, SECOND);
    }

    @Test
    void aDamagedFileIsRefused() throws IOException {
        Files.writeString(file(), "{\"name\":\"bob\"}\n");
        assertThatThrownBy(() -> UnwrittenRevocations.inDirectory(data))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("unwritten-revocations")
                .hasMessageContaining("revoke again");
    }
}
