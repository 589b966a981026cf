-- SPDX-License-Identifier: BSD-3-Clause
---------------------------------------------------------------------------------------------------
-- Purpose: plays a script of octets with the coprocessor.
-- Script:  one step a line, octets in hexadecimal, "-" for none
--            talk IN OUT    the octets IN go in as they are taken, the octets OUT must come out,
--                           both at once
--            latency CLOCKS from the last octet in to the first octet out in the next talk
--            quiet CLOCKS   no octet may come out
--            wipe           a pulse of wipe_i
--            reset          a pulse of rst_i
--            gaps IN OUT    clocks without valid before each octet in, without ready before each
--                           octet out
---------------------------------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use std.textio.all;
use work.aes128_pkg.all;
use work.bench_pkg.all;

entity tb_aes128_coprocessor is
  generic (
    CORE   : string := "fast";
    SCRIPT : string
  );
end entity;

architecture test of tb_aes128_coprocessor is
  signal clk, rst, wipe, busy : std_ulogic := '0';
  signal in_valid, in_ready   : std_ulogic := '0';
  signal out_valid, out_ready : std_ulogic := '0';
  signal in_octet, out_octet  : octet_t    := x"00";
  signal random               : random_t;
  signal clocks               : natural    := 0;
  signal done                 : boolean    := false;
begin

  clk    <= not clk after 5 ns when not done;
  clocks <= clocks + 1 when rising_edge(clk);

  draw : entity work.random_source
    port map (
      clk_i    => clk,
      random_o => random
    );

  dut : entity work.aes128_coprocessor
    generic map (
      CORE => CORE
    )
    port map (
      clk_i       => clk,
      rst_i       => rst,
      wipe_i      => wipe,
      busy_o      => busy,
      random_i    => random,
      in_valid_i  => in_valid,
      in_octet_i  => in_octet,
      in_ready_o  => in_ready,
      out_valid_o => out_valid,
      out_octet_o => out_octet,
      out_ready_i => out_ready
    );

  play : process is
    file steps                  : text;
    variable step               : line;
    variable verb               : string(1 to 7);
    variable length             : natural;
    variable given, wanted      : octets_t(0 to 1023);
    variable ins, outs          : natural;
    variable gap_in, gap_out    : natural := 0;
    variable latency, count     : natural := 0;
    variable talks, octets      : natural := 0;

    procedure pulse (signal line_of : out std_ulogic) is
    begin
      line_of <= '1';
      wait until rising_edge(clk);
      line_of <= '0';
      wait until rising_edge(clk) and busy = '0';
    end procedure;

    procedure talk is
      variable sent, heard         : natural := 0;
      variable wait_in, wait_out   : natural := 0;
      variable last_in, first_out  : natural := 0;
      variable still               : natural := 0;
    begin
      wait_in  := gap_in;
      wait_out := gap_out;
      while sent < ins or heard < outs loop
        in_valid  <= '1' when sent < ins and wait_in = 0 else '0';
        in_octet  <= given(sent) when sent < ins else x"00";
        out_ready <= '1' when heard < outs and wait_out = 0 else '0';
        wait until rising_edge(clk);
        still := still + 1;
        if in_valid = '1' and in_ready = '1' then
          sent    := sent + 1;
          wait_in := gap_in;
          last_in := clocks;
          still   := 0;
        elsif wait_in > 0 then
          wait_in := wait_in - 1;
        end if;
        if out_valid = '1' and out_ready = '1' then
          assert out_octet = wanted(heard)
            report "talk " & to_string(talks) & ", octet " & to_string(heard) & ": " &
                   to_hstring(out_octet) & ", not " & to_hstring(wanted(heard))
            severity failure;
          if heard = 0 then
            first_out := clocks;
          end if;
          heard    := heard + 1;
          wait_out := gap_out;
          still    := 0;
        elsif wait_out > 0 then
          wait_out := wait_out - 1;
        end if;
        assert still < 5000
          report "talk " & to_string(talks) & ": nothing moves after " & to_string(sent) &
                 " octets in and " & to_string(heard) & " out"
          severity failure;
      end loop;
      in_valid  <= '0';
      out_ready <= '0';
      if latency > 0 then
        assert first_out - last_in = latency
          report "talk " & to_string(talks) & ": " & to_string(first_out - last_in) &
                 " clocks, not " & to_string(latency)
          severity failure;
        latency := 0;
      end if;
      talks  := talks + 1;
      octets := octets + outs;
    end procedure;

  begin
    pulse(rst);
    file_open(steps, SCRIPT, read_mode);
    while not endfile(steps) loop
      readline(steps, step);
      sread(step, verb, length);
      if verb(1 to length) = "talk" then
        read_octets(step, given, ins);
        read_octets(step, wanted, outs);
        talk;
      elsif verb(1 to length) = "latency" then
        read(step, latency);
      elsif verb(1 to length) = "quiet" then
        read(step, count);
        out_ready <= '1';
        for clock in 1 to count loop
          wait until rising_edge(clk);
          assert out_valid = '0'
            report "an octet after talk " & to_string(talks) & ": " & to_hstring(out_octet)
            severity failure;
        end loop;
        out_ready <= '0';
      elsif verb(1 to length) = "wipe" then
        pulse(wipe);
      elsif verb(1 to length) = "reset" then
        pulse(rst);
      elsif verb(1 to length) = "gaps" then
        read(step, gap_in);
        read(step, gap_out);
      else
        report "no such step: " & verb(1 to length) severity failure;
      end if;
    end loop;
    report to_string(talks) & " talks, " & to_string(octets) & " octets, " & to_string(clocks) &
           " clocks"
      severity note;
    done <= true;
    wait;
  end process;

end architecture;
