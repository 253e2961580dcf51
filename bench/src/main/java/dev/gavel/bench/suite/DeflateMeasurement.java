package dev.gavel.bench.suite;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.zip.Deflater;

/**
 * Measures how much processor time permessage-deflate, which Gavel does not offer, would cost and how many bytes it
 * would save. Used by one thread.
 *
 * @param nanosPerMessage processor time per message and compressor
 * @param savedShare the saved share of a message's bytes, from 0 to 1
 */
record DeflateMeasurement(double nanosPerMessage, double savedShare) {
    private static final int LENGTH = 400;
    private static final int MESSAGES = 256;
    /** The number of bytes at the end of every compressed message that are not sent. */
    private static final int TAIL = 4;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** Words with roughly the frequencies of people's messages about work: a few are frequent, most are rare. */
    private static final List<String> WORDS = List.of("""
            the to of and a in is it you that for on with this be have not are as at but we they can will from was or if so
            what about which when there one all would please has more time could them some other should out than then see
            now only its over also back after use two how our work first well way even new want because any these give day
            most us file test build review change server branch merge error log deploy config request proposal approve
            reject message agent tool call result read write list search user token topic version release issue comment
            draft update section schema field value type example client process policy limit memory disk network retry
            timeout cache index query table column migration database snapshot backup restore latency throughput benchmark
            figure measure compare explain describe summary decision question answer tomorrow morning afternoon meeting
            thanks sorry great looks fine broken fixed again almost nearly probably certainly perhaps instead however
            """.strip().split("\\s+"));

    /** Whether a compressor uses previous messages. */
    enum CompressionContext {
        /** No previous messages, so that one compression serves all receivers. */
        NONE,
        /**
         * All previous messages, so that each receiver, which may have joined at another time, needs its own
         * compressor.
         */
        ALL_BEFORE
    }

    /** Compresses generated messages for a while, after a warm-up of the same length. */
    static DeflateMeasurement measure(
            int level, CompressionContext compressionContext, int compressors, Duration time) {
        List<byte[]> messages = messages();
        List<Deflater> deflaters = new ArrayList<>();
        for (int i = 0; i < compressors; i++) {
            deflaters.add(new Deflater(level, true));
        }
        try {
            measure(messages, deflaters, compressionContext, time);
            return measure(messages, deflaters, compressionContext, time);
        } finally {
            deflaters.forEach(Deflater::end);
        }
    }

    private static DeflateMeasurement measure(
            List<byte[]> messages, List<Deflater> deflaters, CompressionContext compressionContext, Duration time) {
        byte[] out = new byte[2 * LENGTH];
        long plain = 0;
        long compressed = 0;
        long count = 0;
        long start = System.nanoTime();
        long cpu = THREADS.getCurrentThreadCpuTime();
        while (System.nanoTime() - start < time.toNanos()) {
            for (byte[] message : messages) {
                for (Deflater deflater : deflaters) {
                    plain += message.length;
                    compressed += deflate(deflater, message, compressionContext, out);
                    count++;
                }
            }
        }
        return new DeflateMeasurement(
                (double) (THREADS.getCurrentThreadCpuTime() - cpu) / count, 1 - (double) compressed / plain);
    }

    /** Compresses one message; returns the number of bytes to send. */
    static int deflate(Deflater deflater, byte[] message, CompressionContext compressionContext, byte[] out) {
        if (compressionContext == CompressionContext.NONE) {
            deflater.reset();
        }
        deflater.setInput(message);
        return deflater.deflate(out, 0, out.length, Deflater.SYNC_FLUSH) - TAIL;
    }

    /** Messages as receivers get them, the same in every run. */
    static List<byte[]> messages() {
        Random random = new Random(1);
        List<byte[]> messages = new ArrayList<>();
        for (int i = 0; i < MESSAGES; i++) {
            String start = String.format(
                    Locale.ROOT,
                    "{\"protocol\":\"mcpx/v0.1\",\"id\":\"bench-0000-%08d\",\"ts\":\"2026-01-01T12:%02d:%02d.%03dZ\","
                            + "\"from\":\"s0\",\"kind\":\"chat.message\",\"payload\":{\"text\":\"",
                    i,
                    i / 60,
                    i % 60,
                    random.nextInt(1000));
            StringBuilder text = new StringBuilder(start);
            while (text.length() < LENGTH) {
                // The product of two random numbers roughly has the distribution of words in a language.
                text.append(WORDS.get((int) (random.nextDouble() * random.nextDouble() * WORDS.size())))
                        .append(' ');
            }
            text.setLength(LENGTH - 3);
            messages.add(text.append("\"}}").toString().getBytes(UTF_8));
        }
        return messages;
    }
}
