-- SPDX-License-Identifier: BSD-3-Clause
---------------------------------------------------------------------------------------------------
-- Purpose: the coprocessor as a peripheral of a microcontroller: four registers of an octet.
--
--   address  read                                         write
--   0        DATA: the next octet out; 00 if there is     the next octet in; lost if IN_READY is '0'
--            none
--   1        STATE: bit 0 IN_READY, bit 1 OUT_VALID,      nothing
--            bit 2 BUSY, bit 3 LOST
--   2        CONTROL: 00                                  bit 0: wipe all
--   3        VERSION: 01                                  nothing
--
-- Octets in and out are those of coprocessor_pkg. LOST says that an octet was written while none
-- could be taken. From then on nothing is taken and nothing is given, until a wipe: a stream with a
-- gap has no meaning.
-- Ports:   a bus without waits. irq_o is '1' while an octet waits to be read.
-- Timing:  a write counts in the clock where select_i and write_i are '1'. What is read is there
--          in the same clock; an octet read from DATA is gone after it.
---------------------------------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use work.aes128_pkg.all;

entity aes128_registers is
  generic (
    CORE : string := "small" -- fast, small, masked
  );
  port (
    clk_i     : in  std_ulogic;
    rst_i     : in  std_ulogic;
    random_i  : in  std_ulogic_vector(RANDOM_BITS - 1 downto 0) := (others => '0'); -- masked
    select_i  : in  std_ulogic;
    write_i   : in  std_ulogic; -- '0': read
    address_i : in  std_ulogic_vector(1 downto 0);
    octet_i   : in  octet_t;
    octet_o   : out octet_t;
    irq_o     : out std_ulogic
  );
end entity;

architecture rtl of aes128_registers is

  constant DATA    : std_ulogic_vector(1 downto 0) := "00";
  constant STATE   : std_ulogic_vector(1 downto 0) := "01";
  constant CONTROL : std_ulogic_vector(1 downto 0) := "10";
  constant VERSION : octet_t                       := x"01";

  signal to_core             : host_in_t;
  signal from_core           : host_out_t;
  signal lost, full, written : std_ulogic;
  signal told_to_wipe        : std_ulogic;
  signal held                : octet_t;

begin

  written   <= select_i and write_i when address_i = DATA else '0';
  told_to_wipe <= select_i and write_i and octet_i(0) when address_i = CONTROL else '0';
  to_core.wipe <= told_to_wipe or rst_i;
  to_core.valid  <= written and not lost;
  to_core.ready <= not full and not lost;
  irq_o     <= full;

  to_core.random  <= random_i;
  to_core.key     <= '0';
  to_core.decrypt <= '0';
  to_core.octet   <= octet_i;

  octet_o <= held when address_i = DATA else
             x"00" when address_i = CONTROL else
             "0000" & lost & from_core.busy & full & (from_core.ready and not lost) when address_i = STATE else
             VERSION;

  -- The coprocessor may take an octet only while another one can leave it, so that one waits here.
  next_out : process (clk_i) is
  begin
    if rising_edge(clk_i) then
      if to_core.wipe = '1' then
        lost <= '0';
        full <= '0';
        held <= x"00";
      elsif lost = '1' or (written = '1' and from_core.ready = '0') then
        lost <= '1';
        full <= '0';
        held <= x"00";
      elsif full = '0' and from_core.valid = '1' then
        full <= '1';
        held <= from_core.octet;
      elsif select_i = '1' and write_i = '0' and address_i = DATA then
        full <= '0';
        held <= x"00";
      end if;
    end if;
  end process;

  coprocessor : entity work.aes128_coprocessor
    generic map (CORE => CORE)
    port map (clk_i, to_core, from_core);

end architecture;
