// A valid PNG of 3 MB: pixels that do not compress. It is the same on each call, so that a client's copy can be compared with it.
import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

const SIDE = 1000;

let made;

export function picture() {
  made ??= png();
  return made;
}

function png() {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIDE, 0);
  header.writeUInt32BE(SIDE, 4);
  // 8 bits for each of red, green and blue.
  header.set([8, 2], 8);
  const pixels = noise(SIDE * (1 + SIDE * 3));
  for (let row = 0; row < SIDE; row++) {
    // The filter of the row: none.
    pixels[row * (1 + SIDE * 3)] = 0;
  }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels, { level: 0 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type, data) {
  const typed = Buffer.concat([Buffer.from(type), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(typed), 4);
  return Buffer.concat([ends.subarray(0, 4), typed, ends.subarray(4)]);
}

function noise(length) {
  const blocks = [];
  for (let n = 0; n * 64 < length; n++) {
    blocks.push(createHash('sha512').update(String(n)).digest());
  }
  return Buffer.concat(blocks).subarray(0, length);
}
