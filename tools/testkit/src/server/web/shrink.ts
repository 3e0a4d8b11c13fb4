// Pictures of pages need few colours: a PNG as browsers write it becomes one with a palette, a third of its size.

import { crc32, deflateSync, inflateSync } from "node:zlib"

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const mostColours = 256

/** Takes eight bits for each of red, green, blue (and alpha, which is dropped), not interlaced. */
export function shrink(png: Uint8Array): Buffer {
  const { width, height, pixels } = decode(Buffer.from(png))
  const palette = [...countColours(pixels)]
    .sort(([, a], [, b]) => b - a)
    .slice(0, mostColours)
    .map(([colour]) => colour)
  const indexes = new Map(palette.map((colour, index) => [colour, index]))
  const indexed = Buffer.alloc(pixels.length)
  eachRun(pixels, (colour, from, to) => {
    const index = indexes.get(colour) ?? nearest(palette, colour)
    indexes.set(colour, index)
    indexed.fill(index, from, to)
  })
  const rows = Buffer.alloc(height * (width + 1))
  for (let row = 0; row < height; row++) indexed.copy(rows, row * (width + 1) + 1, row * width, (row + 1) * width)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits for each pixel, which point into the palette.
  header.set([8, 3, 0, 0, 0], 8)
  const colours = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]))
  const parts = [toChunk("IHDR", header), toChunk("PLTE", colours), toChunk("IDAT", deflateSync(rows, { level: 9 }))]
  return Buffer.concat([signature, ...parts, toChunk("IEND", Buffer.alloc(0))])
}

interface Picture {
  readonly width: number
  readonly height: number
  /** 0xRRGGBB, row by row. */
  readonly pixels: Uint32Array
}

function decode(png: Buffer): Picture {
  const data: Buffer[] = []
  for (let at = signature.length; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString("latin1", at + 4, at + 8) === "IDAT")
      data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  }
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const bytes = png[25] === 6 ? 4 : 3
  const raw = inflateSync(Buffer.concat(data))
  const stride = width * bytes
  const flat = Buffer.alloc(height * stride)
  for (let row = 0; row < height; row++) unfilter(raw, flat, row, stride, bytes)
  const pixels = new Uint32Array(width * height)
  for (let at = 0, from = 0; at < pixels.length; at++, from += bytes)
    pixels[at] = (flat[from]! << 16) | (flat[from + 1]! << 8) | flat[from + 2]!
  return { width, height, pixels }
}

/** PNG, section 9: each byte was written as its difference from what stands left of it, above it, or both. */
function unfilter(raw: Buffer, flat: Buffer, row: number, stride: number, bytes: number): void {
  const guess = guesses[raw[row * (stride + 1)] ?? 0]!
  for (let x = 0; x < stride; x++) {
    const at = row * stride + x
    const left = x < bytes ? 0 : flat[at - bytes]!
    const up = row === 0 ? 0 : flat[at - stride]!
    const corner = row === 0 || x < bytes ? 0 : flat[at - stride - bytes]!
    flat[at] = (raw[row * (stride + 1) + 1 + x]! + guess(left, up, corner)) & 255
  }
}

type Guess = (left: number, up: number, corner: number) => number

const guesses: readonly Guess[] = [() => 0, (left) => left, (_left, up) => up, (left, up) => (left + up) >> 1, paeth]

function paeth(left: number, up: number, corner: number): number {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)]
  if (a <= b && a <= c) return left
  return b <= c ? up : corner
}

function countColours(pixels: Uint32Array): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  eachRun(pixels, (colour, from, to) => counts.set(colour, (counts.get(colour) ?? 0) + to - from))
  return counts
}

/** Most pixels of a page are of the colour of the one before. */
function eachRun(pixels: Uint32Array, handleRun: (colour: number, from: number, to: number) => void): void {
  for (let from = 0, to = 0; from < pixels.length; from = to) {
    const colour = pixels[from]!
    while (to < pixels.length && pixels[to] === colour) to++
    handleRun(colour, from, to)
  }
}

function nearest(palette: readonly number[], colour: number): number {
  const distances = palette.map((other) =>
    [16, 8, 0].reduce((sum, shift) => sum + (((other >> shift) & 255) - ((colour >> shift) & 255)) ** 2, 0),
  )
  return distances.indexOf(Math.min(...distances))
}

function toChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}
