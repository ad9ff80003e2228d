package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.invoke.WrongMethodTypeException;

/** Methods of stock's dataset that not every supported release has. Stateless. */
final class OptionalMethod {
  private OptionalMethod() {}

  /** The method of {@link FsDatasetImpl} itself, past an override; null where there is none. */
  static MethodHandle ofSuper(String name, Class<?> returns, Class<?>... parameters) {
    try {
      return OperationDataset.superCalls()
          .findSpecial(
              FsDatasetImpl.class,
              name,
              MethodType.methodType(returns, parameters),
              OperationDataset.class);
    } catch (NoSuchMethodException e) {
      return null;
    } catch (IllegalAccessException e) {
      throw new LinkageError("FsDatasetImpl." + name, e);
    }
  }

  /** Calls it. */
  static void invoke(MethodHandle method, Object... arguments) {
    try {
      method.invokeWithArguments(arguments);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new WrongMethodTypeException(e.toString()); // it declares no checked exception
    }
  }
}
