package dev.gavel.web.console.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.web.http.ClientAddressKey;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SignInThrottleTest {
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final SignInThrottle throttle = new SignInThrottle(() -> now);

    private int failuresUntilRefused(String address) {
        int failures = 0;
        while (throttle.delay(address).isZero() && failures < 1000) {
            throttle.recordFailure(address);
            failures++;
        }
        return failures;
    }

    @Test
    void anAddressIsRefusedAfterTenFailuresAndTriesAgainAfterSeconds() {
        assertThat(failuresUntilRefused("a")).isEqualTo(10);
        assertThat(throttle.delay("a")).isEqualTo(Duration.ofSeconds(5));
        assertThat(throttle.delay("b")).isZero();
        now = now.plusSeconds(5);
        assertThat(failuresUntilRefused("a")).isEqualTo(1);
        now = now.plusSeconds(50);
        assertThat(failuresUntilRefused("a")).isEqualTo(10);
    }

    @Test
    void manyAddressesTogetherAreRefusedAndOthersWaitLessThanASecond() {
        int failures = 0;
        for (int address = 0; throttle.delay("address-" + address).isZero(); address++) {
            throttle.recordFailure("address-" + address);
            failures++;
        }
        assertThat(failures).isEqualTo(100);
        assertThat(throttle.delay("another")).isPositive().isLessThan(Duration.ofSeconds(1));
        now = now.plusMillis(100);
        assertThat(throttle.delay("another")).isZero();
    }

    @Test
    void anIpv6NetworkCountsAsOneAddress() throws Exception {
        assertThat(ClientAddressKey.of(InetAddress.getByName("2001:db8:0:1::1")))
                .isEqualTo(ClientAddressKey.of(InetAddress.getByName("2001:db8:0:1:ffff::2")))
                .isNotEqualTo(ClientAddressKey.of(InetAddress.getByName("2001:db8:0:2::1")));
        assertThat(ClientAddressKey.of(InetAddress.getByName("2001:db8:0:1::1")))
                .isEqualTo("2001:db8:0:1::/64");
        assertThat(ClientAddressKey.of(InetAddress.ofLiteral("::1"))).isEqualTo("0:0:0:0::/64");
        assertThat(ClientAddressKey.of(InetAddress.getByName("192.0.2.1"))).isEqualTo("192.0.2.1");
    }
}
