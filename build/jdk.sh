# Sourced by ./gavel and ./check: finds a JDK and leaves its directory in $jdk_home.
# A JDK's file `release` contains its version, so the search starts no JVM.

jdk_wanted=25
jdk_home=
jdk_looked=
jdk_seen=

# Prints the feature version of the JDK in directory $1, or nothing.
jdk_version() {
  [ -r "$1/release" ] && [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] || return 0
  while IFS= read -r jdk_line; do
    case $jdk_line in
      JAVA_VERSION=\"*)
        jdk_line=${jdk_line#JAVA_VERSION=\"}
        jdk_line=${jdk_line%%[!0-9]*}
        [ -n "$jdk_line" ] && printf '%s' "$jdk_line"
        return 0
        ;;
    esac
  done <"$1/release"
}

# Selects directory $1 if it contains a JDK of the wanted version or newer; the wanted version is preferred to a newer one.
jdk_try() {
  [ -n "$1" ] && [ -d "$1" ] || return 0
  jdk_found=$(jdk_version "$1")
  [ -n "$jdk_found" ] || return 0
  if [ "$jdk_found" -eq "$jdk_wanted" ]; then
    jdk_home=$1
  elif [ "$jdk_found" -gt "$jdk_wanted" ]; then
    [ -n "$jdk_newer" ] || jdk_newer=$1
  else
    jdk_seen="$jdk_seen $1 ($jdk_found)"
  fi
}

# Prints the directory of the `java` on the PATH, with links followed.
jdk_on_path() {
  jdk_link=$(command -v java 2>/dev/null) || return 0
  jdk_hops=0
  while [ -L "$jdk_link" ] && [ $jdk_hops -lt 20 ]; do
    jdk_target=$(readlink "$jdk_link")
    case $jdk_target in
      /*) jdk_link=$jdk_target ;;
      *) jdk_link=$(dirname "$jdk_link")/$jdk_target ;;
    esac
    jdk_hops=$((jdk_hops + 1))
  done
  jdk_bin=$(cd "$(dirname "$jdk_link")" 2>/dev/null && pwd -P) || return 0
  printf '%s' "${jdk_bin%/bin}"
}

# Prints the directories in which JDKs are usually installed, or those in GAVEL_JDK_DIRS if it is set.
jdk_candidates() {
  if [ -n "${GAVEL_JDK_DIRS+set}" ]; then
    for jdk_parent in $GAVEL_JDK_DIRS; do
      printf '%s\n' "$jdk_parent"/*
    done
  else
    printf '%s\n' /usr/lib/jvm/* "${SDKMAN_DIR:-${HOME:-}/.sdkman}"/candidates/java/* "${HOME:-}"/.jdks/* \
      /Library/Java/JavaVirtualMachines/*/Contents/Home
    [ ! -x /usr/libexec/java_home ] || /usr/libexec/java_home -v "$jdk_wanted" 2>/dev/null
  fi
}

find_jdk() {
  jdk_newer=
  jdk_looked='$JAVA_HOME, the java on $PATH, '
  jdk_looked=$jdk_looked${GAVEL_JDK_DIRS-'/usr/lib/jvm/*, ~/.sdkman/candidates/java/*, ~/.jdks/*, macOS java_home'}
  jdk_try "${JAVA_HOME:-}"
  [ -n "$jdk_home" ] && return 0
  jdk_try "$(jdk_on_path)"
  [ -n "$jdk_home" ] && return 0
  jdk_list=$(jdk_candidates)
  while IFS= read -r jdk_dir; do
    jdk_try "$jdk_dir"
    [ -n "$jdk_home" ] && return 0
  done <<EOT
$jdk_list
EOT
  jdk_home=$jdk_newer
  [ -n "$jdk_home" ]
}

# Prints what is needed and which directories were searched, and ends the script.
no_jdk() {
  echo "$1: JDK $jdk_wanted or newer is required (a JDK, not a JRE), but none was found. Searched: $jdk_looked." >&2
  [ -z "$jdk_seen" ] || echo "$1: these JDKs are too old:$jdk_seen" >&2
  echo "$1: install a JDK (Debian and Ubuntu: temurin-$jdk_wanted-jdk or openjdk-$jdk_wanted-jdk; SDKMAN: sdk install java $jdk_wanted-tem), or set JAVA_HOME to an installed one." >&2
  exit 2
}

no_maven() {
  echo "$1: Maven (mvn) is required for the build, but it is not on the PATH. Install it (Debian and Ubuntu: apt-get install maven; macOS: brew install maven)." >&2
  exit 2
}
