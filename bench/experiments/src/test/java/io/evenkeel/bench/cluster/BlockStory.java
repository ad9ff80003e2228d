package io.evenkeel.bench.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What DataNodes wrote in their logs about some blocks: for the message of a test that failed. */
final class BlockStory {
  private static final Pattern BLOCK = Pattern.compile("blk_\\d+");
  private static final int LINES = 200;

  private BlockStory() {}

  /**
   * The last lines of each log that name a block.
   *
   * @param texts in which the blocks are named; nothing is told when none is
   */
  static String of(Set<String> texts, List<ReconfiguredNode> nodes) {
    Set<String> blocks = new TreeSet<>();
    for (String text : texts) {
      Matcher block = BLOCK.matcher(text);
      while (block.find()) {
        blocks.add(block.group().substring("blk_".length())); // some lines have the number alone
      }
    }
    StringBuilder story = new StringBuilder();
    for (ReconfiguredNode node : blocks.isEmpty() ? List.<ReconfiguredNode>of() : nodes) {
      story.append(node.name()).append(" says:\n");
      lines(node, blocks).forEach(line -> story.append(line).append('\n'));
    }
    return story.toString();
  }

  private static List<String> lines(ReconfiguredNode node, Set<String> blocks) {
    try (Stream<String> all = Files.lines(node.log(), StandardCharsets.ISO_8859_1)) {
      List<String> found = all.filter(l -> blocks.stream().anyMatch(l::contains)).toList();
      return found.subList(Math.max(0, found.size() - LINES), found.size());
    } catch (IOException e) {
      return List.of(e.toString());
    }
  }
}
