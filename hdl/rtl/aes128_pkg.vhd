-- SPDX-License-Identifier: BSD-3-Clause
---------------------------------------------------------------------------------------------------
-- Purpose: what the blocks of AES-128 (FIPS 197) share: octets, columns, and the field in which the
--          S-box is computed.
--
-- The S-box is the inverse in GF(2^8) and an affine map (FIPS 197, section 5.1.1). The inverse is
-- computed in a tower of fields, GF(((2^2)^2)^2), in normal bases. With W^2 + W = 1, Z^4 + Z = 1 and
-- Y^16 + Y = 1, an octet there is g1 Y^16 + g0 Y, and its inverse is
--     d^-1 (g0 Y^16 + g1 Y)   with   d = g1 g0 + NU (g1 + g0)^2.
-- The same holds one field below, with N in place of NU. In GF(2^2) the inverse is the square, which
-- exchanges two bits. In polynomials modulo x^8 + x^4 + x^3 + x + 1: W = BD, Z = 5C, Y = FF.
---------------------------------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

package aes128_pkg is

  subtype octet_t is std_ulogic_vector(7 downto 0);
  -- Elements of the tower's fields are bits: a simulator computes with them without calling anything.
  subtype tower_t is bit_vector(7 downto 0);
  subtype nibble_t is bit_vector(3 downto 0); -- of GF(2^4)
  subtype pair_t is bit_vector(1 downto 0);   -- of GF(2^2)
  subtype column_t is std_ulogic_vector(31 downto 0); -- four octets, the first at the left
  subtype block_t is std_ulogic_vector(127 downto 0); -- sixteen octets, the first at the left

  -- A linear map of octets: the images of the bits, that of bit 7 first.
  type map_t is array (0 to 7) of tower_t;

  constant TO_TOWER          : map_t := (x"98", x"f3", x"f2", x"48", x"09", x"81", x"a9", x"ff");
  constant FROM_TOWER        : map_t := (x"64", x"78", x"6e", x"8c", x"68", x"29", x"de", x"60");
  -- The same with the affine map of the S-box after it, and with its inverse before it.
  constant FROM_TOWER_AFFINE : map_t := (x"58", x"2d", x"9e", x"0b", x"dc", x"04", x"03", x"24");
  constant TO_TOWER_AFFINE   : map_t := (x"8c", x"79", x"05", x"eb", x"12", x"04", x"51", x"53");
  constant AFFINE_CONSTANT   : tower_t := x"63";

  constant N  : pair_t := "10";
  constant NU : nibble_t := "0001";

  -- Random bits that one octet through the masked S-box takes.
  constant SBOX_RANDOM_BITS : positive := 18;
  -- Clocks that it takes, one octet a clock.
  constant SBOX_CLOCKS      : positive := 8;
  -- Random bits that a core may take in each clock: those, and eight to split an octet in two.
  constant RANDOM_BITS      : positive := SBOX_RANDOM_BITS + 8;

  -- What a host says to a core or to the coprocessor, and what it hears. An octet moves in each clock
  -- where one side's valid and the other side's ready are both '1'.
  type host_in_t is record
    wipe    : std_ulogic; -- forget block and key; the reset too
    random  : std_ulogic_vector(RANDOM_BITS - 1 downto 0); -- fresh in each clock, for `masked`
    decrypt : std_ulogic; -- a core alone
    key     : std_ulogic; -- a core alone: the octet is one of a key
    valid   : std_ulogic;
    octet   : octet_t;
    ready   : std_ulogic; -- to take an octet
  end record;
  type host_out_t is record
    busy  : std_ulogic; -- computes or wipes: takes no octet and gives none
    ready : std_ulogic; -- to take an octet
    valid : std_ulogic;
    octet : octet_t;
  end record;

  function octet_of(bits : std_ulogic_vector; index : natural) return octet_t;
  function linear(map_of : map_t; octet : tower_t) return tower_t;
  function pair_times(a, b : pair_t) return pair_t;
  function nibble_times(a, b : nibble_t) return nibble_t;
  function pair_scaled_square(a : pair_t) return pair_t;     -- N a^2
  function nibble_scaled_square(a : nibble_t) return nibble_t; -- NU a^2
  function pair_inverse(a : pair_t) return pair_t;
  function nibble_inverse(a : nibble_t) return nibble_t;
  function tower_inverse(a : tower_t) return tower_t;

  -- Multiplies by x, section 4.2.1.
  function xtime(octet : octet_t) return octet_t;
  -- One octet of MixColumns: that of the row of a.
  function mixed(a, b, c, d : octet_t) return octet_t;
  -- What makes MixColumns its inverse, if it is done before: InvMixColumns(c) =
  -- MixColumns(before_inverse(c)). The matrix of InvMixColumns is that of MixColumns times
  -- (5, 0, 4, 0).
  function before_inverse(column : column_t) return column_t;
  function mix_columns(column : column_t) return column_t;
  -- Round constant, section 5.2: that of the step from round key `index` to the next.
  function rcon(index : natural range 0 to 15) return octet_t;

end package;

package body aes128_pkg is

  function octet_of(bits : std_ulogic_vector; index : natural) return octet_t is
    alias from_left : std_ulogic_vector(0 to bits'length - 1) is bits;
  begin
    return from_left(8 * index to 8 * index + 7);
  end function;

  function linear(map_of : map_t; octet : tower_t) return tower_t is
    variable sum : tower_t := (others => '0');
  begin
    for bit in 0 to 7 loop
      if octet(7 - bit) = '1' then
        sum := sum xor map_of(bit);
      end if;
    end loop;
    return sum;
  end function;

  function pair_times(a, b : pair_t) return pair_t is
    variable both : bit;
  begin
    both := (a(1) xor a(0)) and (b(1) xor b(0));
    return (both xor (a(1) and b(1)), both xor (a(0) and b(0)));
  end function;

  function nibble_times(a, b : nibble_t) return nibble_t is
    variable both : pair_t;
  begin
    both := pair_times(N, pair_times(a(3 downto 2) xor a(1 downto 0), b(3 downto 2) xor b(1 downto 0)));
    return (both xor pair_times(a(3 downto 2), b(3 downto 2))) &
           (both xor pair_times(a(1 downto 0), b(1 downto 0)));
  end function;

  function pair_scaled_square(a : pair_t) return pair_t is
  begin
    return pair_times(N, pair_inverse(a));
  end function;

  function nibble_scaled_square(a : nibble_t) return nibble_t is
  begin
    return nibble_times(NU, nibble_times(a, a));
  end function;

  function pair_inverse(a : pair_t) return pair_t is
  begin
    return (a(0), a(1));
  end function;

  function nibble_inverse(a : nibble_t) return nibble_t is
    alias high is a(3 downto 2);
    alias low is a(1 downto 0);
    variable of_norm : pair_t;
  begin
    of_norm := pair_inverse(pair_times(high, low) xor pair_scaled_square(high xor low));
    return pair_times(of_norm, low) & pair_times(of_norm, high);
  end function;

  function tower_inverse(a : tower_t) return tower_t is
    alias high is a(7 downto 4);
    alias low is a(3 downto 0);
    variable of_norm : nibble_t;
  begin
    of_norm := nibble_inverse(nibble_times(high, low) xor nibble_scaled_square(high xor low));
    return nibble_times(of_norm, low) & nibble_times(of_norm, high);
  end function;

  function xtime(octet : octet_t) return octet_t is
  begin
    return (octet(6 downto 0) & '0') xor (x"1b" and octet(7));
  end function;

  function mixed(a, b, c, d : octet_t) return octet_t is
  begin
    return xtime(a xor b) xor b xor c xor d;
  end function;

  function before_inverse(column : column_t) return column_t is
    variable even, odd : octet_t;
  begin
    even := xtime(xtime(octet_of(column, 0) xor octet_of(column, 2)));
    odd  := xtime(xtime(octet_of(column, 1) xor octet_of(column, 3)));
    return column xor (even & odd & even & odd);
  end function;

  function mix_columns(column : column_t) return column_t is
    alias a is column(31 downto 24);
    alias b is column(23 downto 16);
    alias c is column(15 downto 8);
    alias d is column(7 downto 0);
  begin
    return mixed(a, b, c, d) & mixed(b, c, d, a) & mixed(c, d, a, b) & mixed(d, a, b, c);
  end function;

  function rcon(index : natural range 0 to 15) return octet_t is
    type table_t is array (0 to 15) of octet_t;
    constant TABLE : table_t := (x"01", x"02", x"04", x"08", x"10", x"20", x"40", x"80", x"1b",
                                 x"36", others => x"00");
  begin
    return TABLE(index);
  end function;

end package body;
