//! The sensors that a board's data file names, and what they sense there.

use crate::board::BoardError;
use crate::description::Description;
use device::i2c::I2cPart;
use device::sensor::Environment;
use device::sensor::adxl346::Adxl346;
use device::sensor::max44009::Max44009;
use device::sensor::sht21::Sht21;

/// What the data file says of the board's surroundings: `[environment.temperature]` and others.
pub(crate) fn environment(board: &Description) -> Result<Environment, BoardError> {
    let usual = Environment::default();
    let number = |name, usual| board.number_or(&["environment", name], usual);
    Ok(Environment {
        celsius: number("temperature", usual.celsius)?,
        humidity: number("humidity", usual.humidity)?,
        lux: number("light", usual.lux)?,
    })
}

/// How a part is made.
type Make = fn(Environment) -> Box<dyn I2cPart>;

/// Parts with an I2C interface, by their tables `[wiring.<part>]`.
const PARTS: [(&str, Make); 3] = [
    ("sht21", |world| Box::new(Sht21::new(world))),
    ("max44009", |world| Box::new(Max44009::new(world))),
    ("adxl346", |_| Box::<Adxl346>::default()),
];

/// The parts on the board's I2C bus.
pub(crate) fn i2c_parts(board: &Description) -> Result<Vec<Box<dyn I2cPart>>, BoardError> {
    let world = environment(board)?;
    let wired = PARTS.iter().filter(|(name, _)| board.wires(name));
    Ok(wired.map(|(_, make)| make(world)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::register::describe;
    use device::Ps;

    #[test]
    fn the_openmote_has_its_three_sensors_at_their_addresses() {
        let board = describe("openmote-cc2538").expect("a board");
        let parts = i2c_parts(&board).expect("the data file is right");
        let addresses: Vec<u8> = parts.iter().map(|part| part.address()).collect();
        assert_eq!(addresses, [0x40, 0x4A, 0x53]);
        assert_eq!(
            environment(&board).expect("numbers"),
            Environment::default()
        );
        let states: Vec<&str> = parts.iter().map(|part| part.state(Ps::ZERO)).collect();
        assert_eq!(states, ["sleep", "slow", "standby"]);
        let none = describe("atmega128").expect("a board");
        assert!(i2c_parts(&none).expect("no table").is_empty());
    }
}
