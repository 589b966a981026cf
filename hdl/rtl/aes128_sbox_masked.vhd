-- SPDX-License-Identifier: BSD-3-Clause
---------------------------------------------------------------------------------------------------
-- Purpose: S-box of AES and its inverse on an octet in two shares, whose sum it is. No signal here
--          depends on the octet: each depends on one share, or on both but for random bits. The
--          multiplications are those of domain-oriented masking (H. Gross, S. Mangard, T. Korak:
--          Domain-Oriented Masking, 2016), first order.
-- Ports:   random_i must be fresh in each clock, uniform, and known to nobody.
-- Timing:  SBOX_CLOCKS (aes128_pkg) clocks from octet to octet, one octet a clock.
--
-- A sum of signals of both domains stands behind a register before it is multiplied, and so does
-- each linear map: a gate whose inputs arrive one after the other shows no more than the registers
-- in front of it.
---------------------------------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use work.aes128_pkg.all;

entity aes128_sbox_masked is
  port (
    clk_i     : in  std_ulogic;
    decrypt_i : in  std_ulogic; -- '1': the inverse; constant while octets are under way
    random_i  : in  std_ulogic_vector(SBOX_RANDOM_BITS - 1 downto 0);
    share_a_i : in  octet_t;
    share_b_i : in  octet_t;
    share_a_o : out octet_t;
    share_b_o : out octet_t
  );
end entity;

architecture rtl of aes128_sbox_masked is

  type towers_t is array (0 to 1) of tower_t; -- one a share
  type nibbles_t is array (0 to 1) of nibble_t;
  type pairs_t is array (0 to 1) of pair_t;

  -- A product before its terms are added up: the sum that stays in a domain, and the term that takes
  -- the other domain's factor, with random bits.
  type nibble_product_t is record
    within, across : nibbles_t;
  end record;
  type pair_product_t is record
    within, across : pairs_t;
  end record;

  type octet_line_t is array (1 to 7) of towers_t;
  type nibble_line_t is array (3 to 5) of nibbles_t;

  signal octet                 : octet_line_t;   -- in the tower, by stage
  signal norm                  : nibble_line_t;  -- in GF(2^4), by stage
  signal norm_product          : nibble_product_t;
  signal pair_norm_product     : pair_product_t;
  signal pair_inverted         : pairs_t;
  signal high_pair, low_pair   : pair_product_t;
  signal norm_inverted         : nibbles_t;
  signal high_part, low_part   : nibble_product_t;

  function dom (a, b : nibbles_t; random : nibble_t) return nibble_product_t is
  begin
    return (
      within => (nibble_times(a(0), b(0)), nibble_times(a(1), b(1))),
      across => (nibble_times(a(0), b(1)) xor random, nibble_times(a(1), b(0)) xor random)
    );
  end function;

  function dom (a, b : pairs_t; random : pair_t) return pair_product_t is
  begin
    return (
      within => (pair_times(a(0), b(0)), pair_times(a(1), b(1))),
      across => (pair_times(a(0), b(1)) xor random, pair_times(a(1), b(0)) xor random)
    );
  end function;

  function high (octets : towers_t) return nibbles_t is
  begin
    return (octets(0)(7 downto 4), octets(1)(7 downto 4));
  end function;

  function low (octets : towers_t) return nibbles_t is
  begin
    return (octets(0)(3 downto 0), octets(1)(3 downto 0));
  end function;

  function high (nibbles : nibbles_t) return pairs_t is
  begin
    return (nibbles(0)(3 downto 2), nibbles(1)(3 downto 2));
  end function;

  function low (nibbles : nibbles_t) return pairs_t is
  begin
    return (nibbles(0)(1 downto 0), nibbles(1)(1 downto 0));
  end function;

  function into_tower (share : octet_t; decrypt : std_ulogic; first : boolean) return tower_t is
    variable element : tower_t;
  begin
    element := to_bitvector(share);
    if decrypt = '0' then
      return linear(TO_TOWER, element);
    elsif first then
      return linear(TO_TOWER_AFFINE, element xor AFFINE_CONSTANT);
    else
      return linear(TO_TOWER_AFFINE, element);
    end if;
  end function;

  function out_of_tower (element : tower_t; decrypt : std_ulogic; first : boolean) return octet_t is
  begin
    if decrypt = '1' then
      return to_stdulogicvector(linear(FROM_TOWER, element));
    elsif first then
      return to_stdulogicvector(linear(FROM_TOWER_AFFINE, element) xor AFFINE_CONSTANT);
    else
      return to_stdulogicvector(linear(FROM_TOWER_AFFINE, element));
    end if;
  end function;

begin

  stages : process (clk_i) is
    variable random         : bit_vector(SBOX_RANDOM_BITS - 1 downto 0);
    variable nibble_product : nibble_product_t;
    variable pair_product   : pair_product_t;
  begin
    if rising_edge(clk_i) then
      random := to_bitvector(random_i);

      -- 1: into the tower
      octet(1) <= (
        into_tower(share_a_i, decrypt_i, true), into_tower(share_b_i, decrypt_i, false)
      );

      -- 2, 3: d = g1 g0 + NU (g1 + g0)^2
      nibble_product := dom(high(octet(1)), low(octet(1)), random(3 downto 0));
      for share in 0 to 1 loop
        nibble_product.within(share) := nibble_product.within(share) xor
          nibble_scaled_square(high(octet(1))(share) xor low(octet(1))(share));
        norm(3)(share) <= norm_product.within(share) xor norm_product.across(share);
      end loop;
      norm_product <= nibble_product;

      -- 4, 5: the same of d, one field below, and the inverse there
      pair_product := dom(high(norm(3)), low(norm(3)), random(5 downto 4));
      for share in 0 to 1 loop
        pair_product.within(share) := pair_product.within(share) xor
          pair_scaled_square(high(norm(3))(share) xor low(norm(3))(share));
        pair_inverted(share) <= pair_inverse(
          pair_norm_product.within(share) xor pair_norm_product.across(share)
        );
      end loop;
      pair_norm_product <= pair_product;

      -- 6, 7: d^-1
      high_pair <= dom(pair_inverted, low(norm(5)), random(7 downto 6));
      low_pair  <= dom(pair_inverted, high(norm(5)), random(9 downto 8));
      for share in 0 to 1 loop
        norm_inverted(share) <= (high_pair.within(share) xor high_pair.across(share)) &
                                (low_pair.within(share) xor low_pair.across(share));
      end loop;

      -- 8: d^-1 g0 and d^-1 g1
      high_part <= dom(norm_inverted, low(octet(7)), random(13 downto 10));
      low_part  <= dom(norm_inverted, high(octet(7)), random(17 downto 14));

      for stage in 2 to 7 loop
        octet(stage) <= octet(stage - 1);
      end loop;
      for stage in 4 to 5 loop
        norm(stage) <= norm(stage - 1);
      end loop;
    end if;
  end process;

  share_a_o <= out_of_tower(
    (high_part.within(0) xor high_part.across(0)) & (low_part.within(0) xor low_part.across(0)),
    decrypt_i, true
  );
  share_b_o <= out_of_tower(
    (high_part.within(1) xor high_part.across(1)) & (low_part.within(1) xor low_part.across(1)),
    decrypt_i, false
  );

end architecture;
