package dev.gavel.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RequestTimeoutHandlerTest {
    private final EmbeddedChannel channel = new EmbeddedChannel(new RequestTimeoutHandler(20_000));

    private void advanceTime(long millis) {
        channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
        channel.runPendingTasks();
    }

    private void sendRequest() {
        channel.writeInbound(new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/"));
    }

    private void sendResponse(HttpResponseStatus status) {
        channel.writeOutbound(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status));
    }

    @Test
    void aConnectionWithoutARequestIsClosed() {
        channel.freezeTime();
        advanceTime(10_000);
        assertThat(channel.isOpen()).isTrue();
        advanceTime(10_000);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void aConnectionWithARequestInProgressStaysOpen() {
        channel.freezeTime();
        sendRequest();
        advanceTime(1_000_000);
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void theTimeoutRestartsAfterAResponse() {
        channel.freezeTime();
        sendRequest();
        sendResponse(HttpResponseStatus.OK);
        advanceTime(20_000);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void anUpgradedConnectionHasNoTimeout() {
        channel.freezeTime();
        sendRequest();
        sendResponse(HttpResponseStatus.SWITCHING_PROTOCOLS);
        advanceTime(1_000_000);
        assertThat(channel.isOpen()).isTrue();
    }
}
