package io.evenkeel.mover.follow;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RoomTest {
  private final Room room = new Room(4);

  private int takeAll() {
    int taken = 0;
    while (room.isFree()) {
      room.take();
      taken++;
    }
    return taken;
  }

  @Test
  void adapt_fullAndTheyOnlyWait_growsUpToAThousand() {
    assertThat(takeAll()).isEqualTo(4);
    room.adapt(true);
    assertThat(takeAll()).isEqualTo(4);
    for (int i = 0; i < 1_000; i++) {
      room.adapt(true);
      takeAll();
    }
    room.giveBack();
    assertThat(takeAll()).isEqualTo(1);
  }

  @Test
  void adapt_notFull_doesNotGrow() {
    room.adapt(true);
    assertThat(takeAll()).isEqualTo(4);
  }

  @Test
  void adapt_noLongerNeeded_shrinksToWhatIsUsual() {
    takeAll();
    room.adapt(true);
    assertThat(takeAll()).isEqualTo(4);
    for (int i = 0; i < 8; i++) {
      room.giveBack();
      room.adapt(false);
    }
    assertThat(takeAll()).isEqualTo(4);
  }
}
