-- SPDX-License-Identifier: BSD-3-Clause
---------------------------------------------------------------------------------------------------
-- Purpose: plays a script with the coprocessor over its serial lines, bit by bit.
-- Script:  talk IN OUT  octets in hexadecimal, "-" for none, at both lines at once
--          fault        fault_o must be '1'
--          broken       an octet whose stop bit is '0'
--          spike        the line is '0' for one clock
--          silent       nothing may come for the time of twenty octets
--          reset        a pulse of rst_i
---------------------------------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use std.textio.all;
use work.aes128_pkg.all;
use work.bench_pkg.all;

entity tb_aes128_serial is
  generic (
    CORE         : string   := "fast";
    CLOCKS_A_BIT : positive := 8;
    SCRIPT       : string;
    TRACE        : string   := "" -- a file for trace_writer
  );
end entity;

architecture test of tb_aes128_serial is
  constant CLOCK : time := 10 ns;
  constant ONE_BIT : time := CLOCK * CLOCKS_A_BIT;

  signal clk               : std_ulogic := '0';
  signal rst               : std_ulogic := '1';
  signal line_in, line_out : std_ulogic := '1';
  signal fault             : std_ulogic;
  signal random            : random_t;
  signal done              : boolean    := false;
  signal pins_in, pins_out : std_ulogic_vector(0 to 1);
  signal wanted            : octets_t;
  signal wanted_count      : natural    := 0;
  signal heard             : natural    := 0;
begin

  clk <= not clk after CLOCK / 2 when not done;

  pins_in  <= rst & line_in;
  pins_out <= line_out & fault;

  record_pins : entity work.trace_writer
    generic map (
      FILE_NAME => TRACE
    )
    port map (clk, done, pins_in, pins_out);

  draw : entity work.random_source
    port map (clk, random);

  dut : entity work.aes128_serial
    generic map (
      CORE     => CORE,
      CLOCK_HZ => CLOCKS_A_BIT,
      BAUD     => 1
    )
    port map (
      clk_i    => clk,
      rst_i    => rst,
      random_i => random,
      line_i   => line_in,
      line_o   => line_out,
      fault_o  => fault
    );

  listen : process is
    variable octet : octet_t;
  begin
    wait until line_out = '0' and rst = '0';
    wait for ONE_BIT / 2;
    for bit in 0 to 7 loop
      wait for ONE_BIT;
      octet(bit) := line_out;
    end loop;
    wait for ONE_BIT;
    assert line_out = '1' report "no stop bit" severity failure;
    assert heard < wanted_count
      report "an octet too many: " & to_hstring(octet)
      severity failure;
    compare("octet " & to_string(heard), octet, wanted(heard mod 1024));
    heard <= heard + 1;
  end process;

  play : process is
    file steps          : text;
    variable step : step_t;
    variable before     : natural;

    procedure send (octet : octet_t; stop : std_ulogic := '1') is
      variable bits : std_ulogic_vector(9 downto 0);
    begin
      bits := stop & octet & '0';
      for bit in 0 to 9 loop
        line_in <= bits(bit);
        wait for ONE_BIT;
      end loop;
      line_in <= '1';
    end procedure;

  begin
    wait for 10 * CLOCK;
    rst <= '0';
    file_open(steps, SCRIPT, read_mode);
    while not endfile(steps) loop
      next_step(steps, step);
      if is_verb(step, "talk") then
        before := wanted_count;
        for index in 0 to step.outs - 1 loop
          wanted((before + index) mod 1024) <= step.wanted(index);
        end loop;
        wanted_count <= before + step.outs;
        for index in 0 to step.ins - 1 loop
          send(step.given(index));
        end loop;
        if heard < before + step.outs then
          wait until heard = before + step.outs for 2000 * ONE_BIT;
        end if;
        assert heard = before + step.outs
          report to_string(heard) & " octets came, not " & to_string(before + step.outs)
          severity failure;
      elsif is_verb(step, "fault") then
        assert fault = '1' report "fault_o is not '1'" severity failure;
      elsif is_verb(step, "broken") then
        send(x"a5", '0');
        wait for 2 * ONE_BIT;
      elsif is_verb(step, "spike") then
        line_in <= '0';
        wait for CLOCK;
        line_in <= '1';
        wait for 2 * ONE_BIT;
      elsif is_verb(step, "silent") then
        before := heard;
        wait for 200 * ONE_BIT;
        assert heard = before and line_out = '1' report "the line is not silent" severity failure;
      elsif is_verb(step, "reset") then
        rst <= '1';
        wait for 2 * CLOCK;
        rst <= '0';
      else
        unknown(step);
      end if;
    end loop;
    report to_string(heard) & " octets" severity note;
    done <= true;
    wait;
  end process;

end architecture;
