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
                "Time spent in garbage collection, and number of collections.");
        for (GarbageCollectorMXBean gc : ManagementFactory.getGarbageCollectorMXBeans()) {
            writer.writeSumAndCount(gc.getCollectionTime() / MILLIS, gc.getCollectionCount(), "gc", gc.getName());
        }
        writer.startFamily("jvm_threads_current", PrometheusWriter.MetricType.GAUGE, "Number of JVM threads.");
        writer.writeSample(ManagementFactory.getThreadMXBean().getThreadCount());
    }

    private static void writeProcess(PrometheusWriter writer) {
        writer.startFamily(
                "process_start_time_seconds",
                PrometheusWriter.MetricType.GAUGE,
                "Start time of the process, in seconds since the Unix epoch.");
        writer.writeSample(ManagementFactory.getRuntimeMXBean().getStartTime() / MILLIS);
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
            writer.startFamily(
                    "process_cpu_seconds_total", PrometheusWriter.MetricType.COUNTER, "CPU time used by the process.");
            writer.writeSample(system.getProcessCpuTime() / NANOS);
            writer.startFamily(
                    "process_open_fds", PrometheusWriter.MetricType.GAUGE, "Number of open file descriptors.");
            writer.writeSample(system.getOpenFileDescriptorCount());
            writer.startFamily(
                    "process_max_fds", PrometheusWriter.MetricType.GAUGE, "Maximum number of open file descriptors.");
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
                            "process_resident_memory_bytes",
                            PrometheusWriter.MetricType.GAUGE,
                            "Resident memory of the process.");
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
        writer.startFamily("jvm_memory_used_bytes", PrometheusWriter.MetricType.GAUGE, "Memory used by the JVM.");
        writer.writeSample(heap.getUsed(), "area", "heap");
        writer.writeSample(nonHeap.getUsed(), "area", "nonheap");
        writer.startFamily(
                "jvm_memory_max_bytes",
                PrometheusWriter.MetricType.GAUGE,
                "Maximum memory of the JVM. -1 means unlimited.");
        writer.writeSample(heap.getMax(), "area", "heap");
        writer.writeSample(nonHeap.getMax(), "area", "nonheap");
    }
}
