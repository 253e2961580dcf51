#!/bin/sh
# Builds the program for ./gavel: $1 is the source tree, $2 a JDK. With --background as $3 it leaves a build that is
# already running to finish; otherwise it waits for that build. Each build gets a directory of its own in
# target/builds; when it is complete, the link target/gavel is switched to it. Programs that run keep their build.
set -u

root=$1
. "$root/build/jdk.sh"
. "$root/build/sources.sh"
jdk_home=$2

command -v mvn >/dev/null 2>&1 || no_maven gavel
if ! mkdir -p "$root/target/builds" 2>/dev/null || [ ! -w "$root/target" ]; then
  echo "gavel: cannot build: $root/target is not writable. Run ./gavel once as the owner of $root." >&2
  exit 2
fi
target=$(cd "$root/target" && pwd -P)
log=$target/build.log
lock=$target/building
started=$target/build-started.$$
status=$target/build-status.$$

# Whether the process in file $1 builds: its number can belong to another program after a restart of the machine.
builds() {
  owner=$(cat "$1" 2>/dev/null)
  [ -n "$owner" ] && kill -0 "$owner" 2>/dev/null || return 1
  case $(ps -p "$owner" -o args= 2>/dev/null || echo launcher.sh) in
    *launcher.sh*) return 0 ;;
    *) return 1 ;;
  esac
}

# One build at a time.
waited=
abandoned=0
until mkdir "$lock" 2>/dev/null; do
  if builds "$lock/pid"; then
    [ "${3:-}" != --background ] || exit 0
    abandoned=0
  else
    # A killed build left the lock behind; but a new lock has no owner for a moment, either.
    abandoned=$((abandoned + 1))
    if [ $abandoned -gt 3 ] && mv "$lock" "$lock.$$" 2>/dev/null; then
      # Another process can have taken the lock in this moment: then it gets the lock back.
      if builds "$lock.$$/pid"; then
        mv "$lock.$$" "$lock"
      else
        rm -rf "$lock.$$"
      fi
      abandoned=0
    fi
  fi
  [ -n "$waited" ] || echo "gavel: waiting for another build (lock: $lock)" >&2
  waited=yes
  sleep 1
done
echo $$ >"$lock/pid"
trap 'rm -rf "$lock" "$started" "$status"' EXIT
trap 'exit 130' INT TERM
# The other build may have built the current sources.
changed_since "$target/gavel/built" || exit 0
before=$(readlink "$target/gavel")

name=$(date -u +%Y%m%dT%H%M%SZ)-$$
dist=$target/builds/$name
rm -f "$target/build-failed"
touch "$started"

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
    -Ddist.directory="$dist" package 2>&1 </dev/null
  echo $? >"$status"
} | show_progress
[ ! -t 2 ] || printf '\r\033[K' >&2

if [ "$(cat "$status" 2>/dev/null)" != 0 ]; then
  rm -rf "$dist"
  mv "$started" "$target/build-failed"
  grep -E '^\[ERROR\] .*(java|pom\.xml):|^\[ERROR\] Failed|^Error' "$log" | sort -u | head -n 10 >&2
  echo "gavel: the build failed; see $log" >&2
  exit 2
fi
# The time at which the build started: files changed later make the build stale.
mv "$started" "$dist/built" || exit 2
# Renaming a link over another is atomic; the option that prevents moving into its target is -T (GNU) or -h (BSD).
ln -s "builds/$name" "$dist/link" || exit 2
mv -fT "$dist/link" "$target/gavel" 2>/dev/null || mv -fh "$dist/link" "$target/gavel" 2>/dev/null ||
  ln -sfn "builds/$name" "$target/gavel" || exit 2

# Removes earlier builds, except those that a running program uses.
running=$(ps -A -ww -o args= 2>/dev/null) || exit 0
for build in "$target"/builds/*; do
  [ "$build" != "$dist" ] && [ "builds/${build##*/}" != "$before" ] || continue
  case $running in
    *"$build/gavel.jar"*) ;;
    *) rm -rf "$build" ;;
  esac
done
