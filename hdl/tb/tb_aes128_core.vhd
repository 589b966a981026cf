-- SPDX-License-Identifier: BSD-3-Clause
---------------------------------------------------------------------------------------------------
-- Purpose: runs a script of octets through a core and checks what comes out and when.
-- Script:  one step a line, octets in hexadecimal
--            key OCTETS            sixteen octets of a key
--            encrypt IN OUT        a block, and the block that must come out
--            decrypt IN OUT
--            part COUNT            the first octets of a block, and no more
--            wipe                  a pulse of wipe_i
--            reset                 a pulse of rst_i
--            gaps IN OUT           clocks without valid before each octet in, without ready before
--                                  each octet out
--         Every octet out is compared; every block must take LATENCY clocks from the last octet in
--          to the first octet out. A difference ends the run with an error.
---------------------------------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use std.textio.all;
use work.aes128_pkg.all;
use work.bench_pkg.all;

entity tb_aes128_core is
  generic (
    CORE    : string := "fast";
    SCRIPT  : string;
    LATENCY : positive
  );
end entity;

architecture test of tb_aes128_core is
  signal clk, rst, wipe, busy, decrypt  : std_ulogic := '0';
  signal in_key, in_valid, in_ready     : std_ulogic := '0';
  signal out_valid, out_ready           : std_ulogic := '0';
  signal in_octet, out_octet            : octet_t    := x"00";
  signal random                         : random_t;
  signal clocks                         : natural    := 0;
  signal done                           : boolean    := false;
begin

  clk    <= not clk after 5 ns when not done;
  clocks <= clocks + 1 when rising_edge(clk);

  draw : entity work.random_source
    port map (
      clk_i    => clk,
      random_o => random
    );

  dut : entity work.aes128_core
    generic map (
      CORE => CORE
    )
    port map (
      clk_i       => clk,
      rst_i       => rst,
      wipe_i      => wipe,
      busy_o      => busy,
      random_i    => random,
      decrypt_i   => decrypt,
      in_key_i    => in_key,
      in_valid_i  => in_valid,
      in_octet_i  => in_octet,
      in_ready_o  => in_ready,
      out_valid_o => out_valid,
      out_octet_o => out_octet,
      out_ready_i => out_ready
    );

  play : process is
    file steps                        : text;
    variable step                     : line;
    variable verb                     : string(1 to 7);
    variable verb_length              : natural;
    variable gap_in, gap_out, blocks  : natural := 0;
    variable count                    : positive;
    variable given, wanted            : block_t;
    variable last_in                  : natural;

    procedure pulse (signal line_of : out std_ulogic) is
    begin
      line_of <= '1';
      wait until rising_edge(clk);
      line_of <= '0';
      wait until rising_edge(clk) and busy = '0';
    end procedure;

    procedure send (octets : block_t; of_key : std_ulogic; upto : positive := 16) is
    begin
      in_key <= of_key;
      for index in 0 to upto - 1 loop
        for clock in 1 to gap_in loop
          wait until rising_edge(clk);
        end loop;
        in_octet <= octet_of(octets, index);
        in_valid <= '1';
        wait until rising_edge(clk) and in_ready = '1';
        in_valid <= '0';
      end loop;
      last_in := clocks;
    end procedure;

    procedure compare (octets : block_t) is
    begin
      for index in 0 to 15 loop
        for clock in 1 to gap_out loop
          wait until rising_edge(clk);
        end loop;
        out_ready <= '1';
        wait until rising_edge(clk) and out_valid = '1';
        out_ready <= '0';
        assert out_octet = octet_of(octets, index)
          report "block " & to_string(blocks) & ", octet " & to_string(index) & ": " &
                 to_hstring(out_octet) & ", not " & to_hstring(octet_of(octets, index))
          severity failure;
        if index = 0 and gap_out = 0 then
          assert clocks - last_in = LATENCY
            report "block " & to_string(blocks) & ": " & to_string(clocks - last_in) &
                   " clocks, not " & to_string(LATENCY)
            severity failure;
        end if;
      end loop;
    end procedure;

  begin
    pulse(rst);
    file_open(steps, SCRIPT, read_mode);
    while not endfile(steps) loop
      readline(steps, step);
      sread(step, verb, verb_length);
      if verb(1 to verb_length) = "key" then
        hread(step, given);
        send(given, '1');
      elsif verb(1 to verb_length) = "encrypt" or verb(1 to verb_length) = "decrypt" then
        hread(step, given);
        hread(step, wanted);
        decrypt <= '1' when verb(1) = 'd' else '0';
        wait until rising_edge(clk);
        send(given, '0');
        compare(wanted);
        blocks := blocks + 1;
      elsif verb(1 to verb_length) = "part" then
        read(step, count);
        send((others => '1'), '0', count);
      elsif verb(1 to verb_length) = "wipe" then
        pulse(wipe);
      elsif verb(1 to verb_length) = "reset" then
        pulse(rst);
      elsif verb(1 to verb_length) = "gaps" then
        read(step, gap_in);
        read(step, gap_out);
      else
        report "no such step: " & verb(1 to verb_length) severity failure;
      end if;
    end loop;
    report to_string(blocks) & " blocks, " & to_string(clocks) & " clocks" severity note;
    done <= true;
    wait;
  end process;

end architecture;
