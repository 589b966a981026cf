-- SPDX-License-Identifier: BSD-3-Clause
---------------------------------------------------------------------------------------------------
-- Purpose: octets from a serial line: a start bit, eight bits, the lowest first, a stop bit.
-- Timing:  CLOCKS_A_BIT clocks a bit; each is sampled in its middle. valid_o is '1' for one clock,
--          in the middle of the stop bit. fault_o is '1' instead if that is not '1'.
---------------------------------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use work.aes128_pkg.all;

entity serial_in is
  generic (
    CLOCKS_A_BIT : positive range 2 to positive'high
  );
  port (
    clk_i   : in  std_ulogic;
    rst_i   : in  std_ulogic;
    line_i  : in  std_ulogic; -- asynchronous
    valid_o : out std_ulogic;
    fault_o : out std_ulogic;
    octet_o : out octet_t
  );
end entity;

architecture rtl of serial_in is
  signal line_then : std_ulogic_vector(2 downto 0); -- the line of one, two and three clocks before
  signal shift     : std_ulogic_vector(8 downto 0); -- stop bit, octet
  signal bits      : natural range 0 to 10;         -- still to sample; 10: the start bit
  signal wait_for  : natural range 0 to CLOCKS_A_BIT - 1;
begin

  octet_o <= shift(7 downto 0);

  receive : process (clk_i) is
  begin
    if rising_edge(clk_i) then
      valid_o   <= '0';
      fault_o   <= '0';
      line_then <= line_then(1 downto 0) & line_i;
      if rst_i = '1' then
        bits      <= 0;
        wait_for  <= 0;
        shift     <= (others => '0');
        line_then <= (others => '1');
      elsif bits = 0 then
        if line_then(2) = '1' and line_then(1) = '0' then
          bits     <= 10;
          wait_for <= CLOCKS_A_BIT / 2 - 1;
        end if;
      elsif wait_for /= 0 then
        wait_for <= wait_for - 1;
      else
        wait_for <= CLOCKS_A_BIT - 1;
        bits     <= bits - 1;
        shift    <= line_then(1) & shift(8 downto 1);
        if bits = 10 and line_then(1) = '1' then
          bits <= 0; -- a spike
        elsif bits = 1 then
          shift   <= '0' & shift(8 downto 1);
          valid_o <= line_then(1);
          fault_o <= not line_then(1);
        end if;
      end if;
    end if;
  end process;

end architecture;
