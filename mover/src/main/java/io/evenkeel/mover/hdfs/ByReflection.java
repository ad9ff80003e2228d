package io.evenkeel.mover.hdfs;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** A public method that not every supported release has. Thread-safe. */
public final class ByReflection {
  private final Method method;

  private ByReflection(Method method) {
    this.method = method;
  }

  /** The method, or one that {@link #isThere} says is missing. */
  public static ByReflection method(Class<?> owner, String name, Class<?>... parameters) {
    try {
      return new ByReflection(owner.getMethod(name, parameters));
    } catch (NoSuchMethodException e) {
      return new ByReflection(null);
    }
  }

  /** Whether this release has it. */
  public boolean isThere() {
    return method != null;
  }

  /** Calls it. */
  public Object call(Object target, Object... arguments) throws IOException {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause();
      if (cause instanceof IOException) {
        throw (IOException) cause;
      }
      if (cause instanceof RuntimeException) {
        throw (RuntimeException) cause;
      }
      if (cause instanceof Error) {
        throw (Error) cause;
      }
      throw new IOException(method + ": " + cause, cause);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(method + " is not public", e);
    }
  }
}
