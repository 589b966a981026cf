-- SPDX-License-Identifier: BSD-3-Clause
---------------------------------------------------------------------------------------------------
-- Purpose: what the test benches share.
---------------------------------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use std.textio.all;
use work.aes128_pkg.all;

package bench_pkg is

  subtype random_t is std_ulogic_vector(RANDOM_BITS - 1 downto 0);
  type octets_t is array (0 to 1023) of octet_t;
  type numbers_t is array (0 to 1) of natural;

  -- A line of a script: a word, and two lists of octets, or one or two numbers.
  type step_t is record
    verb          : string(1 to 7);
    length        : natural;
    given, wanted : octets_t;
    ins, outs     : natural;
    numbers       : numbers_t;
  end record;

  procedure next_step (file steps : text; step : out step_t);
  function is_verb (step : step_t; verb : string) return boolean;
  -- Ends the run.
  procedure unknown (step : step_t);
  procedure compare (what : string; found, wanted : octet_t);

end package;

package body bench_pkg is

  procedure read_octets (step : inout line; octets : out octets_t; count : out natural) is
    variable found : natural := 0;
    variable sign  : character;
    variable digit : string(1 to 2);
    variable pair  : line;
    variable octet : octet_t;
  begin
    while step'length > 0 and step(step'left) = ' ' loop
      read(step, sign);
    end loop;
    if step'length = 0 then
      null;
    elsif step(step'left) = '-' then
      read(step, sign);
    else
      while step'length > 0 and step(step'left) /= ' ' loop
        read(step, digit);
        pair := new string'(digit);
        hread(pair, octet);
        deallocate(pair);
        octets(found) := octet;
        found         := found + 1;
      end loop;
    end if;
    count := found;
  end procedure;

  procedure next_step (file steps : text; step : out step_t) is
    variable words : line;
  begin
    readline(steps, words);
    sread(words, step.verb, step.length);
    case step.verb(1) is
      when 'l' | 'q' | 'g' => -- latency, quiet, gaps
        read(words, step.numbers(0));
        if words'length > 0 then
          read(words, step.numbers(1));
        end if;
      when others =>
        read_octets(words, step.given, step.ins);
        read_octets(words, step.wanted, step.outs);
    end case;
  end procedure;

  function is_verb (step : step_t; verb : string) return boolean is
  begin
    return step.verb(1 to step.length) = verb;
  end function;

  procedure unknown (step : step_t) is
  begin
    report "no such step: " & step.verb(1 to step.length) severity failure;
  end procedure;

  procedure compare (what : string; found, wanted : octet_t) is
  begin
    assert found = wanted
      report what & ": " & to_hstring(found) & ", not " & to_hstring(wanted)
      severity failure;
  end procedure;

end package body;
