package dev.gavel.cli.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import org.slf4j.LoggerFactory;

/**
 * Configures Logback in code, which starts faster than XML: logs go to standard error as text or JSON. Logback finds
 * this class as a service; parsing XML would be a good part of the program's start.
 */
public final class LogbackConfigurator extends ContextAwareBase implements Configurator {
    @Override
    public ExecutionStatus configure(LoggerContext context) {
        apply(context, LogOutputFormat.TEXT, LogLevel.INFO);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /** Changes the format and level of the log from now on. */
    public static void reconfigure(LogOutputFormat format, LogLevel level) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            context.reset();
            apply(context, format, level);
        }
    }

    private static void apply(LoggerContext context, LogOutputFormat format, LogLevel level) {
        Encoder<ILoggingEvent> encoder = switch (format) {
            case TEXT -> new TextLogEncoder();
            case JSON -> new JsonLogEncoder();
        };
        encoder.setContext(context);
        encoder.start();
        ConsoleAppender<ILoggingEvent> stderr = new ConsoleAppender<>();
        stderr.setContext(context);
        stderr.setTarget("System.err");
        stderr.setEncoder(encoder);
        stderr.start();
        var root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        root.addAppender(stderr);
        context.getLogger("dev.gavel").setLevel(Level.toLevel(level.name()));
        // The ledger writer logs once that the database is unavailable; the pool would log it for each connection.
        context.getLogger("com.zaxxer.hikari").setLevel(Level.ERROR);
        // Errors that clients can cause go into the response, not the log: a client must not be able to make the log
        // grow.
        context.getLogger("io.vertx.ext.web").setLevel(Level.OFF);
        context.getLogger("io.vertx.core.net").setLevel(Level.OFF);
        context.getLogger("io.vertx.core.http").setLevel(Level.OFF);
        context.getLogger("io.netty.channel").setLevel(Level.OFF);
    }
}
