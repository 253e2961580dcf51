package dev.gavel.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RequestTimeoutHandlerTest {
    private static final long TIMEOUT = 1000;

    private final EmbeddedChannel channel = new EmbeddedChannel();

    RequestTimeoutHandlerTest() {
        channel.freezeTime();
        channel.pipeline().addLast(new RequestTimeoutHandler(TIMEOUT));
    }

    private void beginRequest() {
        channel.writeInbound(
                new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/seps"),
                new DefaultHttpContent(Unpooled.wrappedBuffer(new byte[10])));
    }

    private void endRequest() {
        channel.writeInbound(LastHttpContent.EMPTY_LAST_CONTENT);
    }

    private void respond(HttpResponseStatus status) {
        channel.writeOutbound(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status));
    }

    private boolean isClosedAfterTimeout() {
        channel.advanceTimeBy(TIMEOUT, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
        return !channel.isOpen();
    }

    @Test
    void aConnectionIsClosedIfItsFirstRequestIsNotComplete() {
        beginRequest();
        assertThat(isClosedAfterTimeout()).isTrue();
    }

    @Test
    void aConnectionIsClosedIfALaterRequestIsNotComplete() {
        beginRequest();
        endRequest();
        respond(HttpResponseStatus.OK);
        beginRequest();
        assertThat(isClosedAfterTimeout()).isTrue();
    }

    @Test
    void aConnectionIsClosedIfTheRequestAfterAnEarlyResponseIsNotComplete() {
        beginRequest();
        respond(HttpResponseStatus.NOT_FOUND);
        endRequest();
        beginRequest();
        assertThat(isClosedAfterTimeout()).isTrue();
    }

    @Test
    void aClientThatIsToldToContinueStillHasToSendTheBody() {
        beginRequest();
        respond(HttpResponseStatus.CONTINUE);
        assertThat(isClosedAfterTimeout()).isTrue();
    }

    @Test
    void aClientCanWaitForAnAnswer() {
        beginRequest();
        respond(HttpResponseStatus.CONTINUE);
        endRequest();
        assertThat(isClosedAfterTimeout()).isFalse();
    }

    @Test
    void aClientCanWaitForTheSecondOfTwoAnswers() {
        beginRequest();
        endRequest();
        beginRequest();
        endRequest();
        respond(HttpResponseStatus.OK);
        assertThat(isClosedAfterTimeout()).isFalse();
        respond(HttpResponseStatus.OK);
        assertThat(isClosedAfterTimeout()).isTrue();
    }

    @Test
    void aWebSocketIsNotClosed() {
        beginRequest();
        endRequest();
        respond(HttpResponseStatus.SWITCHING_PROTOCOLS);
        assertThat(isClosedAfterTimeout()).isFalse();
    }
}
