package dev.gavel.web.metrics;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes the metrics of the process and the JVM under their usual Prometheus names. Stateless. */
final class JvmMetricsWriter {
    private static final double NANOS = 1e9;
    private static final double MILLIS = 1e3;

    private JvmMetricsWriter() {}

    static void write(PrometheusWriter writer) {
        writeProcess(writer);
        writeMemory(writer);
        writer.startFamily(
                "jvm_gc_collection_seconds",
                PrometheusWriter.MetricType.SUMMARY,
                "Time spent in a garbage collector, and how often.");
        for (GarbageCollectorMXBean gc : ManagementFactory.getGarbageCollectorMXBeans()) {
            writer.writeSumAndCount(gc.getCollectionTime() / MILLIS, gc.getCollectionCount(), "gc", gc.getName());
        }
        writer.startFamily("jvm_threads_current", PrometheusWriter.MetricType.GAUGE, "Threads of the JVM.");
        writer.writeSample(ManagementFactory.getThreadMXBean().getThreadCount());
    }

    private static void writeProcess(PrometheusWriter writer) {
        writer.startFamily(
                "process_start_time_seconds",
                PrometheusWriter.MetricType.GAUGE,
                "When the process began, since the epoch.");
        writer.writeSample(ManagementFactory.getRuntimeMXBean().getStartTime() / MILLIS);
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
            writer.startFamily("process_cpu_seconds_total", PrometheusWriter.MetricType.COUNTER, "CPU time used.");
            writer.writeSample(system.getProcessCpuTime() / NANOS);
            writer.startFamily("process_open_fds", PrometheusWriter.MetricType.GAUGE, "Open file descriptors.");
            writer.writeSample(system.getOpenFileDescriptorCount());
            writer.startFamily(
                    "process_max_fds", PrometheusWriter.MetricType.GAUGE, "How many file descriptors may be open.");
            writer.writeSample(system.getMaxFileDescriptorCount());
        }
        writeResidentMemory(writer);
    }

    /** Writes the resident memory, which only Linux reports in a file. */
    private static void writeResidentMemory(PrometheusWriter writer) {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
                if (line.startsWith("VmRSS:")) {
                    writer.startFamily(
                            "process_resident_memory_bytes", PrometheusWriter.MetricType.GAUGE, "Resident memory.");
                    writer.writeSample(Long.parseLong(line.replaceAll("\\D", "")) * 1024);
                }
            }
        } catch (IOException e) {
            // Not Linux: the metric is left out.
        }
    }

    private static void writeMemory(PrometheusWriter writer) {
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        MemoryUsage nonHeap = ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage();
        writer.startFamily("jvm_memory_used_bytes", PrometheusWriter.MetricType.GAUGE, "Memory the JVM uses.");
        writer.writeSample(heap.getUsed(), "area", "heap");
        writer.writeSample(nonHeap.getUsed(), "area", "nonheap");
        writer.startFamily(
                "jvm_memory_max_bytes",
                PrometheusWriter.MetricType.GAUGE,
                "Memory the JVM may use; -1 where that is not limited.");
        writer.writeSample(heap.getMax(), "area", "heap");
        writer.writeSample(nonHeap.getMax(), "area", "nonheap");
    }
}
