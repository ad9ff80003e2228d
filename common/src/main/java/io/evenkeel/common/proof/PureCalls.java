package io.evenkeel.common.proof;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Calls pure functions of Hadoop and tells what they return, since the fingerprint of a function
 * does not cover what it calls itself. Loads their classes, which must not be ones with a logger:
 * {@code evenkeel prove} would start the logging of the daemon it looks at. Apart from {@link
 * Proof}, which reads bytes only. Thread-safe.
 */
final class PureCalls {
  private final ClassLoader loader;

  PureCalls(ClassLoader loader) {
    this.loader = loader;
  }

  /**
   * The result of a call as one word; {@link MethodPrints#ABSENT} where there is no such function.
   *
   * @param owner a class as in class files; with {@code .CONSTANT} for a method of an enum's
   *     constant, a static method otherwise
   * @param call {@code METHOD(ARGUMENT,...)}; arguments are numbers, booleans, files, constants of
   *     enums or strings, as the only method of that name with as many parameters wants them
   */
  String result(String owner, String call) {
    String[] names = owner.replace('/', '.').split("[.](?=[A-Z_]+$)");
    try {
      Class<?> type = Class.forName(names[0], true, loader);
      Object receiver = names.length == 1 ? null : constant(type, names[1]);
      List<String> words = arguments(call);
      Method method = method(type, call.substring(0, call.indexOf('(')), words, receiver == null);
      if (method == null) {
        return MethodPrints.ABSENT;
      }
      Object[] arguments = new Object[words.size()];
      for (int i = 0; i < arguments.length; i++) {
        arguments[i] = argument(method.getParameterTypes()[i], words.get(i));
      }
      return word(method.invoke(receiver, arguments));
    } catch (InvocationTargetException e) {
      return word(e.getCause().getClass().getName());
    } catch (ReflectiveOperationException e) {
      return MethodPrints.ABSENT;
    } catch (LinkageError | RuntimeException e) {
      return word(e.getClass().getName());
    }
  }

  private static String word(Object result) {
    String text = String.valueOf(result).replace(File.separatorChar, '/').replaceAll("\\s", "_");
    return text.isEmpty() ? "''" : text;
  }

  private static List<String> arguments(String call) {
    String inside = call.substring(call.indexOf('(') + 1, call.length() - 1);
    return inside.isEmpty() ? Collections.emptyList() : Arrays.asList(inside.split(","));
  }

  /** Null where there is none, or more than one. */
  private static Method method(Class<?> type, String name, List<String> words, boolean isStatic) {
    List<Method> found = new ArrayList<>();
    for (Method each : type.getMethods()) {
      if (each.getName().equals(name)
          && each.getParameterCount() == words.size()
          && Modifier.isStatic(each.getModifiers()) == isStatic) {
        found.add(each);
      }
    }
    return found.size() == 1 ? found.get(0) : null;
  }

  private static Object argument(Class<?> type, String word) {
    if (type == long.class) {
      return Long.valueOf(word);
    }
    if (type == int.class) {
      return Integer.valueOf(word);
    }
    if (type == byte.class) {
      return Byte.valueOf(word);
    }
    if (type == File.class) {
      return new File(word);
    }
    return type.isEnum() ? constant(type, word) : word;
  }

  private static Object constant(Class<?> type, String name) {
    for (Object each : type.getEnumConstants()) {
      if (((Enum<?>) each).name().equals(name)) {
        return each;
      }
    }
    throw new IllegalArgumentException(name);
  }
}
