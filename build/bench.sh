# Sourced by ./gavel-bench and the scripts in bench/ and faults/, from the project's directory.

. build/jdk.sh

# Builds a module (bench or faults) if its sources have changed, and Gavel, so that no build runs during a measurement.
# $1 is the module, $2 the name of the calling script, the rest its arguments. --help needs no build of Gavel.
module_build() {
  module=$1
  shift
  find_jdk || no_jdk "$1"
  module_target=$module/target
  if [ ! -e "$module_target/built" ] ||
    [ -n "$(find pom.xml */pom.xml "$module/src/main" bench/src/main client/src/main gateway/src/main ledger/src/main lifecycle/src/main mcpx/src/main sep/src/main yaml/src/main -newer "$module_target/built" -print -quit)" ]; then
    command -v mvn >/dev/null 2>&1 || no_maven "$1"
    mkdir -p "$module_target"
    echo "$1: building (log: $module_target/build.log)" >&2
    touch "$module_target/built.next"
    JAVA_HOME=$jdk_home mvn -B -ntp -pl "$module" -am -DskipTests -Dspotless.check.skip=true -Djacoco.skip=true package \
      >"$module_target/build.log" 2>&1 || {
      grep -E "^\[(ERROR|WARNING)\]" "$module_target/build.log" | head -n 20 >&2
      exit 2
    }
    mv "$module_target/built.next" "$module_target/built"
  fi
  case " $* " in
    *" --help "* | *" -h "*) ;;
    *) GAVEL_BUILD=wait ./gavel --version >&2 ;;
  esac
}

# Runs a class of a module: $1 is the module, $2 the maximum heap, $3 the class, the rest its arguments.
module_run() {
  # Thousands of connections need as many open files. If the hard limit is too low, the benchmark reports it.
  ulimit -n "$(ulimit -H -n)" 2>/dev/null || true
  module=$1
  module_heap=$2
  shift 2
  exec "$jdk_home/bin/java" -XX:+UseSerialGC -Xmx"$module_heap" --enable-native-access=ALL-UNNAMED \
    --sun-misc-unsafe-memory-access=allow -Dslf4j.internal.verbosity=ERROR \
    -cp "$module/target/classes:$module/target/lib/*" "$@"
}
