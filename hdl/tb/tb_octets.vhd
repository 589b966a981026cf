-- SPDX-License-Identifier: BSD-3-Clause
---------------------------------------------------------------------------------------------------
-- Purpose: plays a script of octets with a core or with the coprocessor.
-- Script:  one step a line, octets in hexadecimal, "-" for none
--            talk IN OUT    the octets IN go in as they are taken, the octets OUT must come out,
--                           both at once
--            key            a core: what goes in is a key
--            encrypt        a core: what goes in is a block, to be encrypted
--            decrypt        a core: the same, to be decrypted
--            latency CLOCKS from the last octet in to the first octet out in the next talk
--            quiet CLOCKS   no octet may come out
--            wipe           a pulse of the wipe, which is the reset too
--            gaps IN OUT    clocks without valid before each octet in, without ready before each
--                           octet out
---------------------------------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use std.textio.all;
use work.aes128_pkg.all;
use work.bench_pkg.all;

entity tb_octets is
  generic (
    DUT    : string := "coprocessor"; -- coprocessor, core
    CORE   : string := "fast";
    SCRIPT : string;
    TRACE  : string := "" -- a file for trace_writer
  );
end entity;

architecture test of tb_octets is
  signal clk          : std_ulogic := '0';
  signal to_dut       : host_in_t  := (random => (others => '0'), octet => x"00", others => '0');
  signal from_dut     : host_out_t;
  signal clocks       : natural    := 0;
  signal done         : boolean    := false;
  signal pins_in      : std_ulogic_vector(0 to 10);
  signal pins_out     : std_ulogic_vector(0 to 10);
begin

  clk    <= not clk after 5 ns when not done;
  clocks <= clocks + 1 when rising_edge(clk);

  pins_in  <= to_dut.wipe & to_dut.valid & to_dut.octet & to_dut.ready;
  pins_out <= from_dut.ready & from_dut.valid & from_dut.octet & from_dut.busy;

  record_pins : entity work.trace_writer
    generic map (
      FILE_NAME => TRACE
    )
    port map (clk, done, pins_in, pins_out);

  draw : entity work.random_source
    port map (clk, to_dut.random);

  core_alone : if DUT = "core" generate
    one : entity work.aes128_core
      generic map (CORE => CORE)
      port map (clk, to_dut, from_dut);
  end generate;

  with_modes : if DUT = "coprocessor" generate
    one : entity work.aes128_coprocessor
      generic map (CORE => CORE)
      port map (clk, to_dut, from_dut);
  end generate;

  play : process is
    file steps               : text;
    variable step            : step_t;
    variable gap_in, gap_out : natural := 0;
    variable latency         : natural := 0;
    variable talks, octets   : natural := 0;

    procedure settle is
    begin
      wait until rising_edge(clk);
      to_dut.wipe <= '0';
      wait until rising_edge(clk) and from_dut.busy = '0';
    end procedure;

    procedure talk is
      variable sent, heard        : natural := 0;
      variable wait_in, wait_out  : natural := 0;
      variable last_in, first_out : natural := 0;
      variable still              : natural := 0;
    begin
      wait_in  := gap_in;
      wait_out := gap_out;
      while sent < step.ins or heard < step.outs loop
        to_dut.valid <= '1' when sent < step.ins and wait_in = 0 else '0';
        to_dut.octet <= step.given(sent) when sent < step.ins else x"00";
        to_dut.ready <= '1' when heard < step.outs and wait_out = 0 else '0';
        wait until rising_edge(clk);
        still := still + 1;
        if to_dut.valid = '1' and from_dut.ready = '1' then
          sent    := sent + 1;
          wait_in := gap_in;
          last_in := clocks;
          still   := 0;
        elsif wait_in > 0 then
          wait_in := wait_in - 1;
        end if;
        if from_dut.valid = '1' and to_dut.ready = '1' then
          compare("talk " & to_string(talks) & ", octet " & to_string(heard), from_dut.octet,
                  step.wanted(heard));
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
      to_dut.valid <= '0';
      to_dut.ready <= '0';
      assert latency = 0 or first_out - last_in = latency
        report "talk " & to_string(talks) & ": " & to_string(first_out - last_in) &
               " clocks, not " & to_string(latency)
        severity failure;
      latency := 0;
      talks   := talks + 1;
      octets  := octets + step.outs;
    end procedure;

  begin
    to_dut.wipe <= '1';
    settle;
    file_open(steps, SCRIPT, read_mode);
    while not endfile(steps) loop
      next_step(steps, step);
      if is_verb(step, "talk") then
        talk;
      elsif is_verb(step, "key") or is_verb(step, "encrypt") or is_verb(step, "decrypt") then
        to_dut.key     <= '1' when is_verb(step, "key") else '0';
        to_dut.decrypt <= '1' when is_verb(step, "decrypt") else '0';
        wait until rising_edge(clk);
      elsif is_verb(step, "latency") then
        latency := step.numbers(0);
      elsif is_verb(step, "quiet") then
        to_dut.ready <= '1';
        for clock in 1 to step.numbers(0) loop
          wait until rising_edge(clk);
          assert from_dut.valid = '0'
            report "an octet after talk " & to_string(talks) & ": " & to_hstring(from_dut.octet)
            severity failure;
        end loop;
        to_dut.ready <= '0';
      elsif is_verb(step, "wipe") then
        to_dut.wipe <= '1';
        settle;
      elsif is_verb(step, "gaps") then
        gap_in  := step.numbers(0);
        gap_out := step.numbers(1);
      else
        unknown(step);
      end if;
    end loop;
    report to_string(talks) & " talks, " & to_string(octets) & " octets, " & to_string(clocks) &
           " clocks"
      severity note;
    done <= true;
    wait;
  end process;

end architecture;
