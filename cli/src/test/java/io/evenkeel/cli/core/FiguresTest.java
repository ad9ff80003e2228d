package io.evenkeel.cli.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class FiguresTest {
  @Test
  void duration_anyLength_isTheTwoLargestUnits() {
    assertThat(Figures.duration(59.9)).isEqualTo("59s");
    assertThat(Figures.duration(60)).isEqualTo("1m0s");
    assertThat(Figures.duration(3599)).isEqualTo("59m59s");
    assertThat(Figures.duration(3600)).isEqualTo("1h0m");
    assertThat(Figures.duration(86_399)).isEqualTo("23h59m");
    assertThat(Figures.duration(90_000)).isEqualTo("1d1h");
    assertThat(Figures.duration(null)).isEqualTo("-");
  }

  @Test
  void span_anyLength_hasItsUnit() {
    assertThat(Figures.span(0)).isEqualTo("0 ms");
    assertThat(Figures.span(0.012)).isEqualTo("0.012 ms");
    assertThat(Figures.span(1.25)).isEqualTo("1.3 ms");
    assertThat(Figures.span(999)).isEqualTo("999 ms");
    assertThat(Figures.span(5230L)).isEqualTo("5.2 s");
    assertThat(Figures.span(61_000)).isEqualTo("1m1s");
    assertThat(Figures.span(null)).isEqualTo("-");
  }

  @Test
  void bytes_anySize_haveTheirUnit() {
    assertThat(Figures.bytes(0)).isEqualTo("0 B");
    assertThat(Figures.bytes(1023)).isEqualTo("1023 B");
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
    assertThat(Figures.millis(153.72)).isEqualTo("153.7 ms");
  }
}
