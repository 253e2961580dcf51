# Sourced by ./gavel and build/launcher.sh, which set $root.

# Whether a source file of the program is newer than file $1, or the file is missing. One `find` takes a few milliseconds.
changed_since() {
  [ ! -e "$1" ] ||
    [ -n "$(find "$root/pom.xml" "$root"/*/pom.xml "$root"/*/src/main "$root/processes" "$root/app/src/dist" "$root/build" -newer "$1" -not -path "$root/bench/*" -not -path "$root/faults/*" -print -quit 2>/dev/null)" ]
}
