-- SPDX-License-Identifier: BSD-3-Clause
---------------------------------------------------------------------------------------------------
-- Purpose: writes the pins of a device into a file, for the model of the emulated motes to replay.
-- File:    a line for each clock in which a pin changed: its number, the bits that go in, those that
--          come out, as they are when the clock ends; and a last line.
-- Ports:   done_i ends it. Without a FILE_NAME nothing is written.
---------------------------------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use std.textio.all;

entity trace_writer is
  generic (
    FILE_NAME : string
  );
  port (
    clk_i  : in  std_ulogic;
    done_i : in  boolean;
    ins_i  : in  std_ulogic_vector;
    outs_i : in  std_ulogic_vector
  );
end entity;

architecture test of trace_writer is
begin

  traced : if FILE_NAME /= "" generate

    follow : process is
      file trace        : text;
      variable words    : line;
      variable ins      : ins_i'subtype;
      variable outs     : outs_i'subtype;
      variable clocks   : natural := 0;
    begin
      file_open(trace, FILE_NAME, write_mode);
      loop
        wait until rising_edge(clk_i) or done_i;
        if clocks = 0 or done_i or ins /= ins_i or outs /= outs_i then
          ins  := ins_i;
          outs := outs_i;
          swrite(words, to_string(clocks) & " " & to_string(ins) & " " & to_string(outs));
          writeline(trace, words);
        end if;
        exit when done_i;
        clocks := clocks + 1;
      end loop;
      file_close(trace);
      wait;
    end process;

  end generate;

end architecture;
