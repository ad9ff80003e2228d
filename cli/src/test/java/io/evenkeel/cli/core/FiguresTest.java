package io.evenkeel.cli.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class FiguresTest {
  @Test
  void time_anyLength_hasItsUnit() {
    assertThat(Figures.time(0)).isEqualTo("0 ms");
    assertThat(Figures.time(0.012)).isEqualTo("0.012 ms");
    assertThat(Figures.time(1.25)).isEqualTo("1.3 ms");
    assertThat(Figures.time(999)).isEqualTo("999 ms");
    assertThat(Figures.time(5230L)).isEqualTo("5.2 s");
    assertThat(Figures.time(60_000)).isEqualTo("1m0s");
    assertThat(Figures.time(3_599_900)).isEqualTo("59m59s");
    assertThat(Figures.time(3_600_000)).isEqualTo("1h0m");
    assertThat(Figures.time(86_399_000)).isEqualTo("23h59m");
    assertThat(Figures.time(90_000_000)).isEqualTo("1d1h");
    assertThat(Figures.time(null)).isEqualTo("-");
  }

  @Test
  void count_anyNumber_isGrouped() {
    assertThat(Figures.count(12_345)).isEqualTo("12,345");
    assertThat(Figures.count(1, "host", "hosts")).isEqualTo("1 host");
    assertThat(Figures.count(2_000, "host", "hosts")).isEqualTo("2,000 hosts");
    assertThat(Figures.count(null)).isEqualTo("-");
  }

  @Test
  void bytes_anySize_haveTheirUnit() {
    assertThat(Figures.bytes(0)).isEqualTo("0 B");
    assertThat(Figures.bytes(1023)).isEqualTo("1,023 B");
    assertThat(Figures.bytes(1536)).isEqualTo("1.5 KiB");
    assertThat(Figures.bytes(1L << 40)).isEqualTo("1 TiB");
    assertThat(Figures.bytes(Long.MAX_VALUE)).isEqualTo("8 EiB");
    assertThat(Figures.bytes(null)).isEqualTo("-");
  }

  @Test
  void percentAndDecimal_areRoundedToOneDigit() {
    assertThat(Figures.percent(1 / 3.0)).isEqualTo("33.3%");
    assertThat(Figures.percent(null)).isEqualTo("-");
    assertThat(Figures.decimal(2.04)).isEqualTo("2");
    assertThat(Figures.decimal(2.06)).isEqualTo("2.1");
    assertThat(Figures.decimals(1234.5, 2)).isEqualTo("1,234.50");
    assertThat(Figures.decimals(Double.NaN, 2)).isEqualTo("-");
  }
}
