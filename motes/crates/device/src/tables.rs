//! Tables of registers and their fields, several entries a line.

/// Constants of one type: offsets of registers, masks of bits.
macro_rules! constants {
    ($vis:vis $kind:ty: $($name:ident = $value:expr),+ $(,)?) => {
        $($vis const $name: $kind = $value;)+
    };
}

/// Methods that tell whether a bit of a register is set: for each register the names of its bits,
/// and their numbers. The type has a method `bit` that takes both.
macro_rules! flags {
    ($($register:ident: $($name:ident $bit:literal),+;)+) => {
        $($(
            pub(super) fn $name(&self) -> bool {
                self.bit($register, $bit)
            }
        )+)+
    };
}

/// Methods that read a field of a register. Each line gives the register, its highest and its
/// lowest bit, the method's name and its return type. The type has a method `field` that takes the
/// register, the lowest bit and the width.
macro_rules! fields {
    ($($(#[$doc:meta])* $register:ident $high:literal..$low:literal $name:ident $type:ty;)+) => {
        $(
            $(#[$doc])*
            pub(super) fn $name(&self) -> $type {
                self.field($register, $low, $high - $low + 1) as $type
            }
        )+
    };
}
