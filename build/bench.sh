# Sourced by ./gavel-bench and the scripts in bench/, from the project's directory: what they all do first.

. build/jdk.sh

# Builds the benchmarks where sources have changed, and Gavel, so that neither happens while it is measured: $1 is who asks,
# the rest its arguments. Who only asks for help needs no Gavel.
bench_build() {
  find_jdk || no_jdk "$1"
  bench_target=bench/target
  if [ ! -e $bench_target/built ] ||
    [ -n "$(find pom.xml */pom.xml bench/src/main client/src/main gateway/src/main ledger/src/main lifecycle/src/main mcpx/src/main sep/src/main yaml/src/main -newer $bench_target/built -print -quit)" ]; then
    command -v mvn >/dev/null 2>&1 || no_maven "$1"
    mkdir -p $bench_target
    echo "$1: building (log: $bench_target/build.log)" >&2
    touch $bench_target/built.next
    JAVA_HOME=$jdk_home mvn -B -ntp -pl bench -am -DskipTests -Dspotless.check.skip=true -Djacoco.skip=true package \
      >$bench_target/build.log 2>&1 || {
      grep -E "^\[(ERROR|WARNING)\]" $bench_target/build.log | head -n 20 >&2
      exit 2
    }
    mv $bench_target/built.next $bench_target/built
  fi
  case " $* " in
    *" --help "* | *" -h "*) ;;
    *) ./gavel --version >&2 ;;
  esac
}

# Runs a benchmark: the heap it may have, its class, its arguments.
bench_run() {
  # Thousands of connections need as many files; what the hard limit forbids, the part that needs them says.
  ulimit -n "$(ulimit -H -n)" 2>/dev/null || true
  bench_heap=$1
  shift
  exec "$jdk_home/bin/java" -XX:+UseSerialGC -Xmx"$bench_heap" --enable-native-access=ALL-UNNAMED \
    --sun-misc-unsafe-memory-access=allow -Dslf4j.internal.verbosity=ERROR -cp "bench/target/classes:bench/target/lib/*" "$@"
}
