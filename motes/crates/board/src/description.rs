//! What a board's data file says about the board as a whole: its chip, the wires between its
//! chips, and the pins that carry the marks of the firmware.

use crate::board::BoardError;
use device::parameter::number;

/// A pin of the microcontroller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pin {
    pub(crate) port: u8,
    pub(crate) bit: u8,
}

impl Pin {
    /// Reads `4.2`: port 4, bit 2.
    fn parse(text: &str) -> Option<Pin> {
        let (port, bit) = text.split_once('.')?;
        let (port, bit) = (port.parse().ok()?, bit.parse().ok()?);
        (bit < 8).then_some(Pin { port, bit })
    }
}

/// Tables of a data file that no other board shares.
const OWN: [&str; 6] = ["board", "slot", "wiring", "marks", "absent", "environment"];

/// One board, from its data file.
pub(crate) struct Description {
    /// The board's name: that of its file.
    pub(crate) name: &'static str,
    /// The name of its microcontroller, `[board]` `chip`.
    pub(crate) chip: String,
    /// The whole file, for the models that read their own tables of it.
    pub(crate) text: String,
    /// Supply voltage of this specimen. `None`: that of the file.
    pub(crate) supply_v: Option<f64>,
    root: toml::Table,
}

impl Description {
    /// Reads the data file of the board `name`.
    pub(crate) fn parse(name: &'static str, text: &'static str) -> Result<Description, BoardError> {
        let wrong = |what: String| BoardError::Data(format!("{name}.toml: {what}"));
        let root: toml::Table = text
            .parse()
            .map_err(|error: toml::de::Error| wrong(error.to_string()))?;
        let chip = root.get("board").and_then(|board| board.get("chip"));
        let chip = chip
            .and_then(toml::Value::as_str)
            .ok_or_else(|| wrong("[board] needs a chip".into()))?
            .to_string();
        Ok(Description {
            name,
            chip,
            text: text.into(),
            supply_v: None,
            root,
        })
    }

    /// The board whose chip this one has, `[board]` `like`: its record says what this one leaves out.
    pub(crate) fn base(&self) -> Option<&str> {
        self.root.get("board")?.get("like")?.as_str()
    }

    /// Takes what this file leaves out of clocks, supply, currents and times from `other`, without
    /// what concerns the parts that are wired there alone.
    pub(crate) fn like(mut self, other: &Description) -> Description {
        let wiring = other.root.get("wiring").and_then(toml::Value::as_table);
        let foreign = |name: &str| wiring.is_some_and(|parts| parts.contains_key(name));
        for (table, theirs) in &other.root {
            let Some(theirs) = theirs.as_table().filter(|_| !OWN.contains(&table.as_str())) else {
                continue;
            };
            let empty = || toml::Value::Table(toml::Table::new());
            let ours = self.root.entry(table).or_insert_with(empty);
            let Some(ours) = ours.as_table_mut() else {
                continue;
            };
            for (name, value) in theirs.iter().filter(|(name, _)| !foreign(name)) {
                ours.entry(name).or_insert_with(|| value.clone());
            }
        }
        self.text = self.root.to_string();
        self
    }

    /// The same board with another supply; refused outside `[supply_range]`.
    pub(crate) fn supplied_with(mut self, volts: f64) -> Result<Description, BoardError> {
        let end = |which| {
            let end = self.entry(&["supply_range", which], "value")?;
            number(Some(end))
                .ok_or_else(|| self.wrong(format!("supply_range.{which} is no number")))
        };
        let (least, most) = (end("least")?, end("most")?);
        if !(least..=most).contains(&volts) {
            return Err(BoardError::Option(format!(
                "supply of {volts} V; {} takes {least} to {most} V",
                self.name
            )));
        }
        self.supply_v = Some(volts);
        Ok(self)
    }

    /// The same board with another number at a place such as `timing.cc2538.aes_block`; refused if
    /// the data file has no number there.
    pub(crate) fn changed(mut self, place: &str, value: f64) -> Result<Description, BoardError> {
        let mut table = Some(&mut self.root);
        for step in place.split('.') {
            table = table.and_then(|table| table.get_mut(step)?.as_table_mut());
        }
        let number = table.and_then(|table| table.get_mut("value"));
        let Some(number) = number.filter(|number| number.is_integer() || number.is_float()) else {
            let name = self.name;
            return Err(BoardError::Option(format!(
                "no number {place:?} in {name}.toml"
            )));
        };
        *number = toml::Value::Float(value);
        self.text = self.root.to_string();
        Ok(self)
    }

    /// The clock in hertz, if the board has one alone (`[clocks]`).
    pub(crate) fn only_clock_hz(&self) -> Option<u32> {
        let clocks = self.root.get("clocks")?.as_table()?;
        let mut values = clocks.values();
        let hertz = values.next().filter(|_| clocks.len() == 1)?.as_integer()?;
        u32::try_from(hertz).ok()
    }

    /// The error that the data file is wrong.
    pub(crate) fn wrong(&self, what: impl std::fmt::Display) -> BoardError {
        BoardError::Data(format!("{}.toml: {what}", self.name))
    }

    /// The pins of `[marks]`, whose edges are recorded.
    pub(crate) fn marks(&self) -> Result<Vec<Pin>, BoardError> {
        let Some(marks) = self.root.get("marks") else {
            return Ok(Vec::new());
        };
        let marks = marks
            .as_table()
            .ok_or_else(|| self.wrong("[marks] is no table"))?;
        let names = marks.keys().filter(|name| *name != "source");
        names.map(|name| self.pin(&["marks"], name)).collect()
    }

    /// There is a table `[wiring.<part>]`: the board has the part.
    pub(crate) fn wires(&self, part: &str) -> bool {
        let wiring = self.root.get("wiring");
        wiring.is_some_and(|wiring| wiring.get(part).is_some())
    }

    /// The pin that `[wiring.<part>]` gives to the part's signal `name`.
    pub(crate) fn wire(&self, part: &str, name: &str) -> Result<Pin, BoardError> {
        self.pin(&["wiring", part], name)
    }

    /// The number that `[wiring.<part>]` gives to `name`, e.g. of a USART.
    pub(crate) fn wired_unit(&self, part: &str, name: &str) -> Result<u8, BoardError> {
        let number = self.entry(&["wiring", part], name)?.as_integer();
        number
            .and_then(|number| u8::try_from(number).ok())
            .ok_or_else(|| self.wrong(format!("wiring.{part}.{name} is no small number")))
    }

    /// The number at a place of the file, or another one if the file has no such table.
    pub(crate) fn number_or(&self, path: &[&str], usual: f64) -> Result<f64, BoardError> {
        match self.entry(path, "value") {
            Err(_) => Ok(usual),
            Ok(value) => number(Some(value)).ok_or_else(|| {
                let path = path.join(".");
                self.wrong(format!("{path} is no number"))
            }),
        }
    }

    /// Titles of the parts that sit on the board, are not modelled, and are talked to over `unit`
    /// (`[absent.<part>]`); with their addresses, where they have one.
    pub(crate) fn absent_on(&self, unit: &str) -> Vec<(&str, Option<u8>)> {
        let parts = self.root.get("absent").and_then(toml::Value::as_table);
        let on = |part: &&toml::Value| part.get("unit").and_then(toml::Value::as_str) == Some(unit);
        let parts = parts.into_iter().flat_map(toml::Table::values).filter(on);
        let address = |part: &toml::Value| {
            let number = part.get("address").and_then(toml::Value::as_integer);
            number.and_then(|number| u8::try_from(number).ok())
        };
        let mut found = Vec::new();
        for part in parts {
            let title = part.get("title").and_then(toml::Value::as_str);
            found.extend(title.map(|title| (title, address(part))));
        }
        found
    }

    fn pin(&self, path: &[&str], name: &str) -> Result<Pin, BoardError> {
        let text = self.entry(path, name)?.as_str();
        text.and_then(Pin::parse).ok_or_else(|| {
            let path = path.join(".");
            self.wrong(format!("{path}.{name} is no pin such as \"4.2\""))
        })
    }

    fn entry(&self, path: &[&str], name: &str) -> Result<&toml::Value, BoardError> {
        let mut table = Some(&self.root);
        for step in path {
            table = table.and_then(|table| table.get(*step)?.as_table());
        }
        table.and_then(|table| table.get(name)).ok_or_else(|| {
            let path = path.join(".");
            self.wrong(format!("[{path}] needs {name}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(text: &'static str) -> Description {
        Description::parse("toy", text).expect("the file parses")
    }

    fn message<T>(outcome: Result<T, BoardError>) -> String {
        outcome
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default()
    }

    #[test]
    fn pins_and_units_are_read() {
        let toy = board(
            "[board]\nchip = \"cc2538\"\n[marks]\nsec1 = \"2.4\"\nslot = \"3.3\"\n\
             [wiring.cc2420]\nusart = 1\ncsn = \"4.2\"",
        );
        let pins = [(2, 4), (3, 3)].map(|(port, bit)| Pin { port, bit });
        assert_eq!(toy.marks().expect("two pins"), pins);
        assert_eq!(
            toy.wire("cc2420", "csn").expect("a pin"),
            Pin { port: 4, bit: 2 }
        );
        assert_eq!(toy.wired_unit("cc2420", "usart").expect("a number"), 1);
    }

    #[test]
    fn a_supply_outside_the_range_is_refused() {
        let text = "[board]\nchip = \"cc2538\"\n[supply_range.least]\nvalue = 2\n\
             [supply_range.most]\nvalue = 3.6";
        for volts in [2.0, 3.3, 3.6] {
            let toy = board(text).supplied_with(volts).expect("in range");
            assert_eq!(toy.supply_v, Some(volts));
        }
        for volts in [1.99, 3.7, f64::NAN] {
            let refused = message(board(text).supplied_with(volts));
            assert!(refused.ends_with("toy takes 2 to 3.6 V"), "{refused}");
        }
        assert!(message(board("[board]\nchip = \"cc2538\"").supplied_with(3.0)).contains("least"));
    }

    #[test]
    fn a_number_of_the_file_is_changed_and_what_is_none_is_refused() {
        let text =
            "[board]\nchip = \"cc2538\"\n[timing.cc2538.aes_block]\nvalue = 7\nunit = \"us\"";
        let toy = board(text)
            .changed("timing.cc2538.aes_block", 8.5)
            .expect("a number");
        assert!(
            toy.text.contains("8.5") && !toy.text.contains("value = 7"),
            "{}",
            toy.text
        );
        for place in ["timing.cc2538.speed", "timing.cc2538", "board.chip", ""] {
            let refused = message(board(text).changed(place, 1.0));
            assert_eq!(refused, format!("no number {place:?} in toy.toml"));
        }
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        let toy =
            board("[board]\nchip = \"cc2538\"\n[wiring.cc2420]\nusart = \"a\"\ncsn = \"4.8\"");
        assert!(message(toy.wire("cc2420", "csn")).contains("wiring.cc2420.csn"));
        assert!(message(toy.wire("cc2420", "sfd")).contains("[wiring.cc2420] needs sfd"));
        assert!(message(toy.wired_unit("cc2420", "usart")).contains("wiring.cc2420.usart"));
        assert!(message(Description::parse("toy", "")).contains("needs a chip"));
        assert!(message(Description::parse("toy", "[board")).contains("toy.toml"));
    }
}
