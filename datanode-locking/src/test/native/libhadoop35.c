/*
 * Lets the libhadoop.so of Hadoop 3.4 serve the classes of 3.5, so that short-circuit reads can be
 * tested there (no library of 3.5 is published). Of the native methods only the initialisation of
 * NativeIO differs. In 3.4 NativeIO.initNative does all of it, and reads a static field; 3.5 has no
 * such field but passes its value to a method of NativeIO$POSIX, which therefore does all of it
 * here. With 3.4's library alone the JVM crashes in the client, when it receives file descriptors.
 *
 * Linked against 3.4's library, in which the JVM finds all other functions. Only for tests; see
 * build.sh beside it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <jni.h>
#include <string.h>

#define OLD_LIBRARY "libhadoop.so.1.0.0"
#define OLD_INIT "Java_org_apache_hadoop_io_nativeio_NativeIO_initNative"
#define POSIX "org/apache/hadoop/io/nativeio/NativeIO$POSIX"

/* Written by one thread, in the static initialiser of NativeIO$POSIX. */
static char missing_field;
static jboolean value;
static const struct JNINativeInterface_ *jvm;

static jfieldID static_field(JNIEnv *env, jclass type, const char *name, const char *signature) {
  if (strcmp(name, "workaroundNonThreadSafePasswdCalls") == 0) {
    return (jfieldID)&missing_field;
  }
  return jvm->GetStaticFieldID(env, type, name, signature);
}

static jboolean static_boolean(JNIEnv *env, jclass type, jfieldID field) {
  return field == (jfieldID)&missing_field ? value : jvm->GetStaticBooleanField(env, type, field);
}

JNIEXPORT void JNICALL Java_org_apache_hadoop_io_nativeio_NativeIO_00024POSIX_initNativePosix(
    JNIEnv *env, jclass type, jboolean workaround) {
  void *library = dlopen(OLD_LIBRARY, RTLD_NOW | RTLD_NOLOAD);
  void (*init)(JNIEnv *, jclass) = library == NULL ? NULL : dlsym(library, OLD_INIT);
  if (init == NULL) {
    (*env)->FatalError(env, "no " OLD_LIBRARY " with " OLD_INIT);
  }
  struct JNINativeInterface_ table = **env;
  table.GetStaticFieldID = static_field;
  table.GetStaticBooleanField = static_boolean;
  jvm = *env;
  value = workaround;
  *env = &table; /* of this thread only */
  init(env, type);
  *env = jvm;
}

/* Its argument is always false. To find a class initialises it, and that does the rest. */
JNIEXPORT void JNICALL Java_org_apache_hadoop_io_nativeio_NativeIO_initNative(
    JNIEnv *env, jclass type, jboolean unused) {
  (void)type;
  (void)unused;
  (*env)->FindClass(env, POSIX);
}
