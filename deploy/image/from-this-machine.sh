# Sourced by deploy/image/build. Creates the lower layers of an image from this machine's Java and C library. Use it if you
# have no registry, or if the image should contain only what the program needs. It has no shell and no package manager.

# The Java modules that the program needs, including those that are only loaded by name (DNS for database addresses, SASL).
modules=java.base,java.logging,java.management,java.naming,java.net.http,java.security.jgss,java.security.sasl,java.sql
modules=$modules,java.xml,jdk.crypto.ec,jdk.management,jdk.naming.dns,jdk.net,jdk.unsupported,jdk.zipfs

# Copies the C library and its loader, and creates the user.
put_system() {
  [ "$(uname -s)" = Linux ] && command -v ldd >/dev/null 2>&1 || {
    echo "image: only Linux can use this machine's Java. Use --base." >&2
    exit 2
  }
  # Keeps the path of the loader and of each library, because programs look for them there. Symbolic links are resolved.
  ldd "$jdk_home/bin/java" "$jdk_home/lib/libjli.so" "$jdk_home/lib/libnio.so" "$jdk_home/lib/libnet.so" \
    "$jdk_home/lib/server/libjvm.so" "$2" |
    sed -n -e 's/.*=> \(\/[^ ]*\) (.*/\1/p' -e 's/^[[:space:]]*\(\/[^ ]*ld-[^ ]*\) (.*/\1/p' |
    grep -v "^$jdk_home" | sort -u >"$out/system.list"
  # In some versions, the C library loads separate libraries to resolve host names.
  libc=$(grep '/libc\.so\.6$' "$out/system.list" | head -n 1)
  [ -n "$libc" ] || {
    echo "image: this machine's Java does not use glibc. Use --base." >&2
    exit 2
  }
  for more in libnss_dns.so.2 libnss_files.so.2 libresolv.so.2; do
    [ ! -e "${libc%/*}/$more" ] || echo "${libc%/*}/$more" >>"$out/system.list"
  done
  while IFS= read -r library; do
    mkdir -p "$1${library%/*}"
    cp -L "$library" "$1$library"
  done <"$out/system.list"
  rm "$out/system.list"
  mkdir "$1/tmp"
  printf 'root:x:0:0:root:/:/sbin/nologin\ngavel:x:10001:10001:Gavel:/data:/sbin/nologin\n' >"$1/etc/passwd"
  printf 'root:x:0:\ngavel:x:10001:\n' >"$1/etc/group"
  printf 'hosts: files dns\n' >"$1/etc/nsswitch.conf"
}

put_runtime() {
  rm -rf "$1"
  "$jdk_home/bin/jlink" --add-modules "$modules" --output "$1" --vm server --strip-debug --no-header-files \
    --no-man-pages --compress zip-0 >"$out/jlink.log" 2>&1 || {
    cat "$out/jlink.log" >&2
    exit 2
  }
  rm "$out/jlink.log"
  # Removes cryptography providers that this runtime does not include. Java would search all libraries for them, which is slow.
  awk -F= '!/^security\.provider\.[0-9]+=/ { print; next }
    $2 !~ /^(XMLDSig|SunPCSC|JdkSASL|SunPKCS11)$/ { print "security.provider." ++n "=" $2 }' \
    "$1/conf/security/java.security" >"$1/java.security"
  mv "$1/java.security" "$1/conf/security/java.security"
  # Creates the archive of Java's own classes that Java maps into memory. It matches the options of the program and is the
  # same in every build. A cache of the program's classes, as ./gavel uses, would differ in every build.
  "$1/bin/java" -Xshare:dump -XX:+UseSerialGC -XX:+UseCompactObjectHeaders -Xlog:disable >/dev/null
  # Jib copies files one by one, so links are replaced by files.
  find "$1" -type l | while IFS= read -r link; do
    cp -L "$link" "$link.file" && mv "$link.file" "$link"
  done
}
