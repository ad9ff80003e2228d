package io.evenkeel.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.config.ConfigException;
import io.evenkeel.volume.core.VolumeTraits;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeviceClassesTest {
  private static final String DATA =
      "[SSD]file:///data/1, [SSD]/data/2,/data/3/,[DISK]file:/data/with%20blank";

  private final Map<String, String> conf = new HashMap<>();

  private DeviceClassesTest set(String name, String value) {
    conf.put("evenkeel.volume.class." + name, value);
    return this;
  }

  private DeviceClasses read(String dataDirs) {
    return DeviceClasses.read(
        VolumeKeys.TABLE.readOrFail(conf.entrySet(), conf::get, w -> {}), dataDirs);
  }

  private void refused(String... parts) {
    assertThatThrownBy(() -> read(DATA))
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll(parts);
  }

  @Test
  void read_nothingSet_noVolumeHasTraits() {
    assertThat(read(DATA).of("/data/1")).isSameAs(VolumeTraits.NONE);
  }

  @Test
  void read_class_itsDirectoriesHaveItsTraits() {
    set("nvme.dirs", "/data/1,[SSD]file:///data/2").set("nvme.weight", "4");
    set("nvme.max-used-percent", "80");
    VolumeTraits traits = read(DATA).of("/data/2");
    assertThat(traits.deviceClass()).isEqualTo("nvme");
    assertThat(traits.weight()).isEqualTo(4);
    assertThat(traits.ceiling()).isEqualTo(0.8);
    assertThat(read(DATA).of("/data/1/").deviceClass()).isEqualTo("nvme");
    assertThat(read(DATA).of("/data/3").deviceClass()).isEmpty();
  }

  @Test
  void read_onlyDirs_restIsDefault() {
    set("slow.dirs", "/data/3");
    VolumeTraits traits = read(DATA).of("/data/3");
    assertThat(traits.weight()).isEqualTo(1);
    assertThat(traits.ceiling()).isEqualTo(1);
  }

  @Test
  void read_percentSignInAUri_isLiteralAsInHadoop() {
    set("odd.dirs", "file:/data/with%20blank");
    assertThat(read(DATA).of("/data/with%20blank").deviceClass()).isEqualTo("odd");
    assertThat(read(DATA).of("/data/with blank").deviceClass()).isEmpty();
  }

  @Test
  void read_directoryThatIsNoDataDirectory_isRefusedNamingKeyAndDirectories() {
    set("nvme.dirs", "/data/1,/data/9");
    refused("evenkeel.volume.class.nvme.dirs", "/data/9", "dfs.datanode.data.dir", "/data/3");
  }

  @Test
  void read_directoryInTwoClasses_isRefused() {
    set("a.dirs", "/data/1").set("b.dirs", "[SSD]/data/1/");
    refused("/data/1", "already in class");
  }

  @Test
  void read_noDirectories_isRefused() {
    set("a.dirs", " , ");
    refused("evenkeel.volume.class.a.dirs", "directories of dfs.datanode.data.dir", "names none");
  }

  @Test
  void read_weightWithoutDirs_isRefused() {
    set("a.weight", "2");
    refused("device class 'a'", "evenkeel.volume.class.a.dirs");
  }

  @Test
  void read_dataDirectoriesNotKnown_cannotBeChecked() {
    set("a.dirs", "/data/1");
    assertThat(read(null).of("/data/1").deviceClass()).isEqualTo("a");
  }
}
