package io.evenkeel.cli;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A command that loads classes of a later Java than 8, such as those of the bench jars.
 *
 * <p>The launcher refuses it with one clear line on an older Java. No field and no method signature
 * of the command may name such a class: picocli looks at those even for {@code --help}.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface NeedsJava {
  /** Lowest feature release, for example 17. */
  int value();

  /** An option with which the command loads none of them; empty when there is none. */
  String unless() default "";

  /** An option without which the command loads none of them; empty when there is none. */
  String with() default "";
}
