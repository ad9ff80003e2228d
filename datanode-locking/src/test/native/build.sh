#!/bin/sh
# Makes a native library for Hadoop 3.5 out of that of 3.4 (Linux, needs gcc):
#   build.sh <libhadoop.so of 3.4> <new folder>
# The folder is for -Djava.library.path; docs/CONTRIBUTING.md has the whole command.
set -eu
if [ $# -ne 2 ]; then
  echo "usage: $0 <libhadoop.so of 3.4> <new folder>" >&2
  exit 64
fi
if [ ! -f "$1" ]; then
  echo "$0: no such file: $1" >&2
  exit 4
fi
home=${JAVA_HOME:-$(java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.home = //p')}
if [ ! -f "$home/include/jni.h" ]; then
  echo "$0: no JDK in '$home'; set JAVA_HOME to the one Maven uses" >&2
  exit 1
fi
mkdir -p "$2"
cp "$1" "$2/libhadoop.so.1.0.0"
gcc -Wall -Wextra -Werror -shared -fPIC -I"$home/include" -I"$home/include/linux" \
  -o "$2/libhadoop.so" "$(dirname "$0")/libhadoop35.c" \
  -L"$2" -Wl,--no-as-needed -l:libhadoop.so.1.0.0 -Wl,-rpath,'$ORIGIN' -ldl
