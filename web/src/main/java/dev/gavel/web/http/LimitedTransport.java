package dev.gavel.web.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.vertx.core.impl.transports.NioTransport;
import io.vertx.core.transport.Transport;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Vert.x transport for sockets that applies the connection limits when it accepts a connection, before any TLS
 * handshake or request. Thread-safe.
 */
public final class LimitedTransport implements Transport {
    private static final Logger log = LoggerFactory.getLogger(LimitedTransport.class);

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

    /** Accepts connections and registers them with the limiter. Confined to its event loop. */
    private static final class LimitedServerChannel extends NioServerSocketChannel {
        private final ConnectionLimiter limiter;

        LimitedServerChannel(ConnectionLimiter limiter) {
            this.limiter = limiter;
        }

        @Override
        protected int doReadMessages(List<Object> accepted) throws Exception {
            int count = super.doReadMessages(accepted);
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
