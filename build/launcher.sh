#!/bin/sh
# Builds the program for ./gavel: $1 is the source tree, $2 a JDK. With --background as $3 it leaves a build that is
# already running to finish; otherwise it waits for that build. Each build gets a directory of its own in
# target/builds; when it is complete, the link target/gavel is switched to it. Programs that run keep their build.
set -u

root=$1
. "$root/build/jdk.sh"
jdk_home=$2
target=$root/target
log=$target/build.log
lock=$target/building

command -v mvn >/dev/null 2>&1 || no_maven gavel
if ! mkdir -p "$target/builds" 2>/dev/null || [ ! -w "$target" ]; then
  echo "gavel: cannot build: $target is not writable. Run ./gavel once as the owner of $root." >&2
  exit 2
fi

# One build at a time. Waits while another process builds, and succeeds if that build made the link.
before=$(readlink "$target/gavel")
waited=
abandoned=0
until mkdir "$lock" 2>/dev/null; do
  owner=$(cat "$lock/pid" 2>/dev/null)
  if [ -n "$owner" ] && kill -0 "$owner" 2>/dev/null; then
    [ "${3:-}" != --background ] || exit 0
    abandoned=0
  else
    # A killed build left the lock behind; but a new lock has no owner for a moment, either.
    abandoned=$((abandoned + 1))
    if [ $abandoned -gt 3 ]; then
      rm -rf "$lock"
      abandoned=0
    fi
  fi
  [ -n "$waited" ] || echo "gavel: waiting for another build" >&2
  waited=yes
  sleep 1
done
echo $$ >"$lock/pid"
trap 'rm -rf "$lock"' EXIT
trap 'exit 130' INT TERM
after=$(readlink "$target/gavel")
[ "$before" = "$after" ] || exit 0

name=$(date -u +%Y%m%dT%H%M%SZ)-$$
dist=$target/builds/$name
rm -f "$target/build-failed"
touch "$target/build-started"

# Shows one line for each step: a single line that changes on a terminal, otherwise one below the other.
step() {
  if [ -t 2 ]; then
    printf '\r\033[K%s' "gavel: building: $1" >&2
  else
    echo "gavel: building: $1" >&2
  fi
}

# Reads Maven's output from standard input, writes it to the log, and shows the progress.
show_progress() {
  downloads=0
  while IFS= read -r line; do
    printf '%s\n' "$line"
    case $line in
      *Downloaded\ from*.jar\ *)
        downloads=$((downloads + 1))
        [ $((downloads % 20)) -ne 0 ] || step "downloaded $downloads libraries"
        ;;
      '[INFO] Building Gavel '*'/'*)
        line=${line#'[INFO] Building '}
        step "${line%% [0-9]*} ${line##* }"
        ;;
      *'exec (aot-cache)'*) step "preparing a fast start" ;;
    esac
  done >"$log"
}

echo "gavel: building (usually less than a minute; the first time, Maven also downloads libraries; log: $log)" >&2
# Maven runs too briefly for optimizing compilation to pay off, and uses APIs that JDK 25 warns about.
{
  JAVA_HOME=$jdk_home \
    MAVEN_OPTS="-XX:TieredStopAtLevel=1 --sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED ${MAVEN_OPTS:-}" \
    mvn -B -T 2 -f "$root/pom.xml" -pl app -am -Dlauncher -Dtarget.directory=target/launcher \
    -Ddist.directory="$dist" package 2>&1
  echo $? >"$lock/status"
} | show_progress
[ ! -t 2 ] || printf '\r\033[K' >&2

if [ "$(cat "$lock/status" 2>/dev/null)" != 0 ]; then
  rm -rf "$dist"
  mv "$target/build-started" "$target/build-failed"
  grep -E '^\[ERROR\] .*(java|pom\.xml):|^\[ERROR\] Failed|^Error' "$log" | sort -u | head -n 10 >&2
  echo "gavel: the build failed; see $log" >&2
  exit 2
fi
# The time at which the build started: files changed later make the build stale.
mv "$target/build-started" "$dist/built"
# Renaming a link over another is atomic; the option that prevents moving into its target is -T (GNU) or -h (BSD).
ln -s "builds/$name" "$dist/link" || exit 2
mv -fT "$dist/link" "$target/gavel" 2>/dev/null || mv -fh "$dist/link" "$target/gavel" || exit 2

# Removes earlier builds, except those that a running program uses.
running=$(ps -A -ww -o args= 2>/dev/null) || exit 0
for build in "$target"/builds/*; do
  [ "$build" != "$dist" ] && [ "builds/${build##*/}" != "$before" ] || continue
  case $running in
    *"$build/gavel.jar"*) ;;
    *) rm -rf "$build" ;;
  esac
done
