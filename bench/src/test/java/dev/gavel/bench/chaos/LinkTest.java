package dev.gavel.bench.chaos;

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

class LinkTest {
    private static final int MOMENT_MILLIS = 100;

    private ServerSocket server;
    private Link link;

    @BeforeEach
    void open() throws IOException {
        server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        InetSocketAddress nowhere;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nowhere = (InetSocketAddress) closed.getLocalSocketAddress();
        }
        link = new Link(() -> List.of(nowhere, (InetSocketAddress) server.getLocalSocketAddress()));
    }

    @AfterEach
    void close() throws IOException {
        link.close();
        server.close();
    }

    private Socket connect() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), link.port());
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
            link.cut();
            assertThat(far.getInputStream().read()).isNegative();
            try (Socket refused = connect()) {
                assertThat(refused.getInputStream().read()).isNegative();
            }
            link.mend();
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
            link.stall();
            near.getOutputStream().write(1);
            far.setSoTimeout(MOMENT_MILLIS);
            assertThatThrownBy(() -> far.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
            link.mend();
            far.setSoTimeout(0);
            assertThat(far.getInputStream().read()).isEqualTo(1);
        }
    }
}
