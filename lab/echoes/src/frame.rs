//! The two frames of an exchange (RFC 6455 5.2): the masked one of the client, and the bytes that must come back. Each
//! message is another one, so that an echo of an earlier one is a wrong echo.

use crate::random::Random;

/// A longer message has its length in more bytes of the head.
pub const MESSAGE_BYTES_MAX: usize = 125;
const BINARY: u8 = 0x82; // the whole message in one frame
const MASKED: u8 = 0x80;
const HEAD_BYTES: usize = 2;
const MASK_BYTES: usize = 4;

pub struct Exchange {
    /// Of a message.
    bytes: usize,
    frame: [u8; HEAD_BYTES + MASK_BYTES + MESSAGE_BYTES_MAX],
    echo: [u8; HEAD_BYTES + MESSAGE_BYTES_MAX],
}

impl Exchange {
    pub fn new(bytes: usize) -> Self {
        let length = u8::try_from(bytes).expect("at most MESSAGE_BYTES_MAX");
        let (mut frame, mut echo) = ([0; _], [0; _]);
        (frame[0], frame[1]) = (BINARY, MASKED | length);
        (echo[0], echo[1]) = (BINARY, length);
        Self { bytes, frame, echo }
    }

    /// Makes the next message.
    pub fn renew(&mut self, random: &mut Random) {
        let mask = random.next().to_le_bytes();
        let mask = [mask[0], mask[1], mask[2], mask[3], mask[0], mask[1], mask[2], mask[3]];
        self.frame[HEAD_BYTES..][..MASK_BYTES].copy_from_slice(&mask[..MASK_BYTES]);
        let message = &mut self.echo[HEAD_BYTES..][..self.bytes];
        let masked = &mut self.frame[HEAD_BYTES + MASK_BYTES..][..self.bytes];
        for (plain, hidden) in message.chunks_mut(8).zip(masked.chunks_mut(8)) {
            let eight = random.next().to_le_bytes();
            plain.copy_from_slice(&eight[..plain.len()]);
            for ((hidden, byte), mask) in hidden.iter_mut().zip(eight).zip(mask) {
                *hidden = byte ^ mask;
            }
        }
    }

    pub fn frame(&self) -> &[u8] {
        &self.frame[..HEAD_BYTES + MASK_BYTES + self.bytes]
    }

    pub fn echo(&self) -> &[u8] {
        &self.echo[..HEAD_BYTES + self.bytes]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unmasks_to_the_echo() {
        let mut random = Random::new(7);
        for bytes in [1, 8, 63, 64, 65, MESSAGE_BYTES_MAX] {
            let mut exchange = Exchange::new(bytes);
            exchange.renew(&mut random);
            let frame = exchange.frame();
            assert_eq!((frame[0], frame[1]), (0x82, 0x80 | bytes as u8));
            let plain: Vec<u8> = (0..bytes).map(|at| frame[6 + at] ^ frame[2 + at % 4]).collect();
            assert_eq!(exchange.echo(), [&[0x82, bytes as u8], plain.as_slice()].concat());
        }
    }

    #[test]
    fn differs_each_time() {
        let (mut random, mut exchange) = (Random::new(7), Exchange::new(64));
        exchange.renew(&mut random);
        let first = exchange.echo().to_vec();
        exchange.renew(&mut random);
        assert_ne!(exchange.echo(), first);
    }
}
