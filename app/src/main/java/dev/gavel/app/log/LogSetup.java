package dev.gavel.app.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;

/**
 * Logs to standard error, one line an event; standard output belongs to commands' results. Found by Logback itself. Code
 * instead of a file, since reading XML would be a good part of the program's start.
 */
public final class LogSetup extends ContextAwareBase implements Configurator {
    @Override
    public ExecutionStatus configure(LoggerContext context) {
        PatternLayoutEncoder lines = new PatternLayoutEncoder();
        lines.setContext(context);
        lines.setPattern("%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %logger{0}: %msg%n");
        lines.start();
        ConsoleAppender<ILoggingEvent> stderr = new ConsoleAppender<>();
        stderr.setContext(context);
        stderr.setTarget("System.err");
        stderr.setEncoder(lines);
        stderr.start();
        var root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        root.addAppender(stderr);
        context.getLogger("dev.gavel").setLevel(Level.INFO);
        // What clients can cause is answered to them, not logged: a log must not grow at anybody's will.
        context.getLogger("io.vertx.ext.web").setLevel(Level.OFF);
        context.getLogger("io.vertx.core.net").setLevel(Level.OFF);
        context.getLogger("io.vertx.core.http").setLevel(Level.OFF);
        context.getLogger("io.netty.channel").setLevel(Level.OFF);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
