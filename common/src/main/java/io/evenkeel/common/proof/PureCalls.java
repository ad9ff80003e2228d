package io.evenkeel.common.proof;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
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
   * @param call {@code METHOD(TYPE:ARGUMENT,...)}, where a type is {@code long}, {@code String} or
   *     {@code File}
   */
  String result(String owner, String call) {
    String[] names = owner.replace('/', '.').split("[.](?=[A-Z_]+$)");
    try {
      Class<?> type = Class.forName(names[0], true, loader);
      Object receiver = names.length == 1 ? null : constant(type, names[1]);
      List<String> words = arguments(call);
      String name = call.substring(0, call.indexOf('('));
      Method method = type.getMethod(name, types(words));
      if (Modifier.isStatic(method.getModifiers()) != (receiver == null)) {
        return MethodPrints.ABSENT;
      }
      Object[] arguments = new Object[words.size()];
      for (int i = 0; i < arguments.length; i++) {
        arguments[i] = argument(words.get(i));
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

  private static Class<?>[] types(List<String> words) {
    Class<?>[] types = new Class<?>[words.size()];
    for (int i = 0; i < types.length; i++) {
      Object argument = argument(words.get(i));
      types[i] = argument instanceof Long ? long.class : argument.getClass();
    }
    return types;
  }

  private static Object argument(String typed) {
    String word = typed.substring(typed.indexOf(':') + 1);
    switch (typed.substring(0, typed.indexOf(':'))) {
      case "long":
        return Long.valueOf(word);
      case "String":
        return word;
      case "File":
        return new File(word);
      default:
        throw new IllegalArgumentException("no type of an argument: " + typed);
    }
  }

  private static Object constant(Class<?> type, String name) throws NoSuchFieldException {
    for (Object each : type.getEnumConstants()) {
      if (((Enum<?>) each).name().equals(name)) {
        return each;
      }
    }
    throw new NoSuchFieldException(name);
  }
}
