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

    private void passes(long millis) {
        channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
        channel.runPendingTasks();
    }

    private void request() {
        channel.writeInbound(new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/"));
    }

    private void response(HttpResponseStatus status) {
        channel.writeOutbound(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status));
    }

    @Test
    void aConnectionWithoutARequestIsCut() {
        channel.freezeTime();
        passes(10_000);
        assertThat(channel.isOpen()).isTrue();
        passes(10_000);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void aRequestInProgressIsNot() {
        channel.freezeTime();
        request();
        passes(1_000_000);
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void betweenRequestsTheDeadlineRunsAgain() {
        channel.freezeTime();
        request();
        response(HttpResponseStatus.OK);
        passes(20_000);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void anUpgradedConnectionHasNone() {
        channel.freezeTime();
        request();
        response(HttpResponseStatus.SWITCHING_PROTOCOLS);
        passes(1_000_000);
        assertThat(channel.isOpen()).isTrue();
    }
}
