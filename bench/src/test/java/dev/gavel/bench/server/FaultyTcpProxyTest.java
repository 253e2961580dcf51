package dev.gavel.bench.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FaultyTcpProxyTest {
    private static final int MOMENT_MILLIS = 100;

    private ServerSocket server;
    private FaultyTcpProxy faultyTcpProxy;

    @BeforeEach
    void open() throws IOException {
        server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        InetSocketAddress nowhere;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nowhere = (InetSocketAddress) closed.getLocalSocketAddress();
        }
        faultyTcpProxy = new FaultyTcpProxy(() -> List.of(nowhere, (InetSocketAddress) server.getLocalSocketAddress()));
    }

    @AfterEach
    void close() throws IOException {
        faultyTcpProxy.close();
        server.close();
    }

    private Socket connect() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), faultyTcpProxy.port());
    }

    @Test
    void whatIsWrittenOnOneSideIsReadOnTheOtherAndWhoDoesNotAnswerIsPassedOver() throws IOException {
        try (Socket near = connect();
                Socket far = server.accept()) {
            near.getOutputStream().write(1);
            assertThat(far.getInputStream().read()).isEqualTo(1);
            far.getOutputStream().write(2);
            assertThat(near.getInputStream().read()).isEqualTo(2);
            far.shutdownOutput();
            assertThat(near.getInputStream().read()).isNegative();
        }
    }

    @Test
    void cutBothSidesEndAndNobodyConnectsUntilItIsMended() throws IOException {
        try (Socket near = connect();
                Socket far = server.accept()) {
            near.getOutputStream().write(1);
            assertThat(far.getInputStream().read()).isEqualTo(1);
            faultyTcpProxy.cut();
            assertThat(far.getInputStream().read()).isNegative();
            try (Socket refused = connect()) {
                assertThat(refused.getInputStream().read()).isNegative();
            }
            faultyTcpProxy.restore();
            try (Socket again = connect();
                    Socket accepted = server.accept()) {
                again.getOutputStream().write(3);
                assertThat(accepted.getInputStream().read()).isEqualTo(3);
            }
        }
    }

    @Test
    void stalledNothingComesThroughUntilItIsMended() throws IOException {
        try (Socket near = connect();
                Socket far = server.accept()) {
            faultyTcpProxy.stall();
            near.getOutputStream().write(1);
            far.setSoTimeout(MOMENT_MILLIS);
            assertThatThrownBy(() -> far.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
            faultyTcpProxy.restore();
            far.setSoTimeout(0);
            assertThat(far.getInputStream().read()).isEqualTo(1);
        }
    }
}
