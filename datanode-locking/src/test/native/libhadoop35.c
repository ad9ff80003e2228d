/*
 * Lets the libhadoop.so of Hadoop 3.4 serve the classes of 3.5, so that short-circuit reads can be
 * tested there (no library of 3.5 is published). Between the two only the initialisation of
 * NativeIO differs: 3.4's library reads a static field of NativeIO$POSIX, which 3.5 has no more but
 * hands over as an argument; and 3.5 initialises NativeIO$POSIX apart, which 3.4 has done by then.
 * Without this library the JVM crashes in the client, when it receives the file descriptors.
 *
 * Linked against 3.4's library, in which the JVM finds all other functions. Only for tests; see
 * build.sh beside it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <jni.h>
#include <string.h>

#define OLD_LIBRARY "libhadoop.so.1.0.0"
#define INIT Java_org_apache_hadoop_io_nativeio_NativeIO_initNative
#define INIT_NAME "Java_org_apache_hadoop_io_nativeio_NativeIO_initNative"
#define INIT_POSIX Java_org_apache_hadoop_io_nativeio_NativeIO_00024POSIX_initNativePosix

/* Written by one thread, in the static initialiser of NativeIO. */
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

JNIEXPORT void JNICALL INIT(JNIEnv *env, jclass type, jboolean workaround) {
  void *library = dlopen(OLD_LIBRARY, RTLD_NOW | RTLD_NOLOAD);
  void (*init)(JNIEnv *, jclass) = library == NULL ? NULL : dlsym(library, INIT_NAME);
  if (init == NULL) {
    (*env)->FatalError(env, "no " OLD_LIBRARY " with " INIT_NAME);
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

JNIEXPORT void JNICALL INIT_POSIX(JNIEnv *env, jclass type, jboolean workaround) {
  (void)env;
  (void)type;
  (void)workaround; /* 3.4's library has done this in the one above */
}
