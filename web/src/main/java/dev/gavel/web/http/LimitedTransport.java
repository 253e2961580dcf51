package dev.gavel.web.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.vertx.core.impl.transports.NioTransport;
import io.vertx.core.transport.Transport;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Vert.x transport for sockets that applies the connection limits when it accepts a connection, before any TLS
 * handshake or request. Thread-safe.
 */
public final class LimitedTransport implements Transport {
    private static final Logger log = LoggerFactory.getLogger(LimitedTransport.class);

    /** How long accepting pauses while the event loops are behind. */
    private static final long BEHIND_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** How long accepting pauses if no file is left. */
    private static final long NO_FILE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final io.vertx.core.spi.transport.Transport implementation;

    public LimitedTransport(ConnectionLimiter limiter) {
        this.implementation = new NioTransport() {
            @Override
            public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
                return domainSocket ? super.serverChannelFactory(true) : () -> new LimitedServerChannel(limiter);
            }
        };
    }

    @Override
    public String name() {
        return "nio";
    }

    @Override
    public boolean available() {
        return true;
    }

    @Override
    public Throwable unavailabilityCause() {
        throw new IllegalStateException("the transport is available");
    }

    @Override
    public io.vertx.core.spi.transport.Transport implementation() {
        return implementation;
    }

    /**
     * Reports to the limiter that an event loop has taken over the connection, and that the client has sent something.
     * Confined to the connection's event loop.
     */
    private static final class StartListener extends ChannelInboundHandlerAdapter {
        private final ConnectionLimiter limiter;
        private final AtomicBoolean takenOver = new AtomicBoolean();

        StartListener(ConnectionLimiter limiter, Channel channel) {
            this.limiter = limiter;
            limiter.markStarting();
            channel.closeFuture().addListener(ended -> markTakenOver());
        }

        private void markTakenOver() {
            if (takenOver.compareAndSet(false, true)) {
                limiter.markTakenOver();
            }
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            markTakenOver();
            ctx.fireChannelActive();
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            limiter.markStarted(ctx.channel());
            // First, because a WebSocket request replaces all handlers. The context still passes the message on.
            ctx.pipeline().remove(this);
            ctx.fireChannelRead(message);
        }
    }

    /** Accepts connections and registers them with the limiter. Confined to its event loop. */
    private static final class LimitedServerChannel extends NioServerSocketChannel {
        private final ConnectionLimiter limiter;

        LimitedServerChannel(ConnectionLimiter limiter) {
            this.limiter = limiter;
        }

        /** Runs on the thread that only accepts connections, so it may wait. */
        @Override
        protected int doReadMessages(List<Object> accepted) throws Exception {
            if (limiter.isBehind()) {
                // The connection waits in the kernel's queue.
                LockSupport.parkNanos(BEHIND_NANOS);
                return 0;
            }
            int count;
            try {
                count = super.doReadMessages(accepted);
            } catch (ClosedChannelException e) {
                throw e;
            } catch (IOException e) {
                // No file is left. Netty would accept nothing for a second, but closed connections free their files
                // within milliseconds.
                log.debug("A connection could not be accepted: {}", e.getMessage());
                LockSupport.parkNanos(NO_FILE_NANOS);
                return 0;
            }
            if (count <= 0 || !(accepted.getLast() instanceof Channel channel)) {
                return count;
            }
            if (isRegistered(channel)) {
                return count;
            }
            accepted.removeLast();
            channel.unsafe().closeForcibly();
            return 0;
        }

        private boolean isRegistered(Channel channel) {
            try {
                boolean registered = limiter.register(channel, eventLoop());
                if (registered) {
                    channel.closeFuture().addListener(ended -> limiter.unregister(channel));
                    channel.pipeline().addFirst(new StartListener(limiter, channel));
                }
                return registered;
            } catch (RuntimeException e) {
                // Netty would close the server's channel.
                log.error("A connection could not be registered.", e);
                return false;
            }
        }
    }
}
