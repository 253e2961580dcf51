# Sourced by deploy/image/build: an image's lower layers from what this machine has, for those who have no registry, or
# want nothing in the image that the program does not need. There is no shell in it, and no package manager.

# What the program needs of Java. Those that are only reached by name (DNS for addresses of databases, SASL) stand here too.
modules=java.base,java.logging,java.management,java.naming,java.net.http,java.security.jgss,java.security.sasl,java.sql
modules=$modules,java.xml,jdk.crypto.ec,jdk.management,jdk.naming.dns,jdk.net,jdk.unsupported,jdk.zipfs

# The C library with its loader, and who the user is.
put_system() {
  [ "$(uname -s)" = Linux ] && command -v ldd >/dev/null 2>&1 || {
    echo "image: only on Linux can it be made of this machine's Java; elsewhere give --base" >&2
    exit 2
  }
  # The loader and each library under the very path where programs look for it; names are followed to the file itself.
  ldd "$jdk_home/bin/java" "$jdk_home/lib/libjli.so" "$jdk_home/lib/libnio.so" "$jdk_home/lib/libnet.so" \
    "$jdk_home/lib/server/libjvm.so" "$2" |
    sed -n -e 's/.*=> \(\/[^ ]*\) (.*/\1/p' -e 's/^[[:space:]]*\(\/[^ ]*ld-[^ ]*\) (.*/\1/p' |
    grep -v "^$jdk_home" | sort -u >"$out/system.list"
  # Names are looked up by libraries that the C library loads by itself, where they are not part of it.
  libc=$(grep '/libc\.so\.6$' "$out/system.list" | head -n 1)
  [ -n "$libc" ] || {
    echo "image: this machine's Java does not use glibc; give --base" >&2
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
  # Java looks for providers of cryptography that it lists and does not have among all libraries, which takes its time.
  awk -F= '!/^security\.provider\.[0-9]+=/ { print; next }
    $2 !~ /^(XMLDSig|SunPCSC|JdkSASL|SunPKCS11)$/ { print "security.provider." ++n "=" $2 }' \
    "$1/conf/security/java.security" >"$1/java.security"
  mv "$1/java.security" "$1/conf/security/java.security"
  # Java's own classes as it maps them into memory. It is made for the options the program runs with, and is the same
  # every time; a cache of the program's classes, as ./gavel has one, differs with every run that it is made by.
  "$1/bin/java" -Xshare:dump -XX:+UseSerialGC -XX:+UseCompactObjectHeaders -Xlog:disable >/dev/null
  # Files are copied into the layer one by one: what is a link here is a file there.
  find "$1" -type l | while IFS= read -r link; do
    cp -L "$link" "$link.file" && mv "$link.file" "$link"
  done
}
