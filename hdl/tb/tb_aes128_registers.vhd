-- SPDX-License-Identifier: BSD-3-Clause
---------------------------------------------------------------------------------------------------
-- Purpose: plays a script with the registers of the coprocessor, as a driver would: it reads STATE
--          until the octet can be written or read.
-- Script:  talk IN OUT         octets in hexadecimal, "-" for none; all of IN, then all of OUT
--          write ADDRESS OCTET without a look at STATE
--          state MASK OCTET    those bits of STATE must be so
--          read ADDRESS OCTET  must be read there
---------------------------------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use std.textio.all;
use work.aes128_pkg.all;
use work.bench_pkg.all;

entity tb_aes128_registers is
  generic (
    CORE   : string := "small";
    SCRIPT : string;
    TRACE  : string := "" -- a file for trace_writer
  );
end entity;

architecture test of tb_aes128_registers is
  signal clk              : std_ulogic := '0';
  signal rst              : std_ulogic := '1';
  signal chosen, writes   : std_ulogic := '0';
  signal irq              : std_ulogic;
  signal address          : std_ulogic_vector(1 downto 0) := "00";
  signal octet, octet_out : octet_t    := x"00";
  signal random           : random_t;
  signal done             : boolean    := false;
  signal pins_in          : std_ulogic_vector(0 to 12);
  signal pins_out         : std_ulogic_vector(0 to 8);
begin

  clk <= not clk after 5 ns when not done;

  pins_in  <= rst & chosen & writes & address & octet;
  pins_out <= octet_out & irq;

  record_pins : entity work.trace_writer
    generic map (
      FILE_NAME => TRACE
    )
    port map (clk, done, pins_in, pins_out);

  draw : entity work.random_source
    port map (clk, random);

  dut : entity work.aes128_registers
    generic map (
      CORE => CORE
    )
    port map (
      clk_i     => clk,
      rst_i     => rst,
      random_i  => random,
      select_i  => chosen,
      write_i   => writes,
      address_i => address,
      octet_i   => octet,
      octet_o   => octet_out,
      irq_o     => irq
    );

  play : process is
    file steps             : text;
    variable step : step_t;
    variable found         : octet_t;
    variable talks         : natural := 0;

    procedure access_to (place : natural; write : std_ulogic; value : octet_t := x"00") is
    begin
      address <= std_ulogic_vector(to_unsigned(place, 2));
      octet   <= value;
      writes  <= write;
      chosen  <= '1';
      wait until rising_edge(clk);
      found  := octet_out;
      chosen <= '0';
    end procedure;

    procedure wait_for (bit : natural) is
    begin
      for look in 1 to 5000 loop
        access_to(1, '0');
        exit when found(bit) = '1';
      end loop;
      assert found(bit) = '1'
        report "talk " & to_string(talks) & ": STATE stays " & to_hstring(found)
        severity failure;
    end procedure;

  begin
    wait until rising_edge(clk);
    rst <= '0';
    file_open(steps, SCRIPT, read_mode);
    while not endfile(steps) loop
      next_step(steps, step);
      if is_verb(step, "talk") then
        for index in 0 to step.ins - 1 loop
          wait_for(0);
          access_to(0, '1', step.given(index));
        end loop;
        for index in 0 to step.outs - 1 loop
          wait_for(1);
          assert irq = '1' report "an octet waits without irq_o" severity failure;
          access_to(0, '0');
          compare("talk " & to_string(talks), found, step.wanted(index));
        end loop;
        talks := talks + 1;
      elsif is_verb(step, "write") then
        access_to(to_integer(unsigned(step.given(0))), '1', step.wanted(0));
      elsif is_verb(step, "read") then
        access_to(to_integer(unsigned(step.given(0))), '0');
        compare("talk " & to_string(talks), found, step.wanted(0));
      elsif is_verb(step, "state") then
        access_to(1, '0');
        found := found and step.given(0);
        compare("talk " & to_string(talks), found, step.wanted(0));
      else
        unknown(step);
      end if;
    end loop;
    report to_string(talks) & " talks" severity note;
    done <= true;
    wait;
  end process;

end architecture;
