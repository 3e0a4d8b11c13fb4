// Generates a small PNG: a square with a colour gradient.

import { crc32, deflateSync } from "node:zlib"

export function picture(size: number): Uint8Array {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  // Eight bits for each of three colours.
  header.set([8, 2, 0, 0, 0], 8)
  const rows = Array.from({ length: size }, (_, y) => {
    const pixels = Array.from({ length: size }, (_unused, x) =>
      [(x * 255) / size, (y * 255) / size, 160].map(Math.floor),
    )
    return Buffer.from([0, ...pixels.flat()])
  })
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.concat(rows))),
    chunk("IEND", Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const typedData = Buffer.concat([Buffer.from(type), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(typedData))
  return Buffer.concat([length, typedData, sum])
}
