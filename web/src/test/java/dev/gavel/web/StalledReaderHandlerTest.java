package dev.gavel.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // the tests wait for the effects of writes
class StalledReaderHandlerTest {
    private static final int TIMEOUT_MILLIS = 600;

    /** More than the kernel buffers. */
    private static final int BYTES = 20_000_000;

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final BlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();
    private Channel server;

    @BeforeEach
    void start() throws Exception {
        server = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new StalledReaderHandler(TIMEOUT_MILLIS));
                        accepted.add(channel);
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .sync()
                .channel();
    }

    @AfterEach
    void stop() {
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private Socket connect() throws Exception {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(64 * 1024);
        socket.connect(server.localAddress() instanceof InetSocketAddress address ? address : null);
        return socket;
    }

    @Test
    void aClientThatStopsReadingIsDisconnected() throws Exception {
        try (Socket socket = connect()) {
            Channel channel = accepted.take();
            channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[BYTES]));
            assertThat(channel.closeFuture().await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(socket.isClosed()).isFalse();
        }
    }

    @Test
    void aClientThatReadsSlowlyGetsEverything() throws Exception {
        try (Socket socket = connect()) {
            Channel channel = accepted.take();
            channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[BYTES]));
            InputStream in = socket.getInputStream();
            for (int i = 0; i < 20; i++) {
                // Altogether much longer than the timeout.
                assertThat(in.readNBytes(BYTES / 20)).hasSize(BYTES / 20);
                Thread.sleep(TIMEOUT_MILLIS / 6);
            }
        }
    }

    @Test
    void anIdleClientWithoutUnsentDataStays() throws Exception {
        try (Socket socket = connect()) {
            Channel channel = accepted.take();
            channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[10]));
            assertThat(socket.getInputStream().readNBytes(10)).hasSize(10);
            assertThat(channel.closeFuture().await(4 * TIMEOUT_MILLIS)).isFalse();
        }
    }
}
