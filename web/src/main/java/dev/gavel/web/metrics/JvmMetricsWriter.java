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

    static void write(PrometheusWriter page) {
        process(page);
        memory(page);
        page.family(
                "jvm_gc_collection_seconds",
                PrometheusWriter.MetricType.SUMMARY,
                "Time spent in a garbage collector, and how often.");
        for (GarbageCollectorMXBean gc : ManagementFactory.getGarbageCollectorMXBeans()) {
            page.sumAndCount(gc.getCollectionTime() / MILLIS, gc.getCollectionCount(), "gc", gc.getName());
        }
        page.family("jvm_threads_current", PrometheusWriter.MetricType.GAUGE, "Threads of the JVM.");
        page.sample(ManagementFactory.getThreadMXBean().getThreadCount());
    }

    private static void process(PrometheusWriter page) {
        page.family(
                "process_start_time_seconds",
                PrometheusWriter.MetricType.GAUGE,
                "When the process began, since the epoch.");
        page.sample(ManagementFactory.getRuntimeMXBean().getStartTime() / MILLIS);
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
            page.family("process_cpu_seconds_total", PrometheusWriter.MetricType.COUNTER, "CPU time used.");
            page.sample(system.getProcessCpuTime() / NANOS);
            page.family("process_open_fds", PrometheusWriter.MetricType.GAUGE, "Open file descriptors.");
            page.sample(system.getOpenFileDescriptorCount());
            page.family("process_max_fds", PrometheusWriter.MetricType.GAUGE, "How many file descriptors may be open.");
            page.sample(system.getMaxFileDescriptorCount());
        }
        resident(page);
    }

    /** Writes the resident memory, which only Linux reports in a file. */
    private static void resident(PrometheusWriter page) {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
                if (line.startsWith("VmRSS:")) {
                    page.family("process_resident_memory_bytes", PrometheusWriter.MetricType.GAUGE, "Resident memory.");
                    page.sample(Long.parseLong(line.replaceAll("\\D", "")) * 1024);
                }
            }
        } catch (IOException e) {
            // Not Linux: the metric is left out.
        }
    }

    private static void memory(PrometheusWriter page) {
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        MemoryUsage other = ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage();
        page.family("jvm_memory_used_bytes", PrometheusWriter.MetricType.GAUGE, "Memory the JVM uses.");
        page.sample(heap.getUsed(), "area", "heap");
        page.sample(other.getUsed(), "area", "nonheap");
        page.family(
                "jvm_memory_max_bytes",
                PrometheusWriter.MetricType.GAUGE,
                "Memory the JVM may use; -1 where that is not limited.");
        page.sample(heap.getMax(), "area", "heap");
        page.sample(other.getMax(), "area", "nonheap");
    }
}
