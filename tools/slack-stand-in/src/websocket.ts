// The server's side of WebSockets, as far as socket mode needs it: texts, pings and closing. RFC 6455.

import { createHash } from "node:crypto"
import type { IncomingMessage } from "node:http"
import type { Duplex } from "node:stream"

export interface Connection {
  send(text: string): void
  close(): void
}

export interface Listener {
  onText(text: string): void
  onClose(): void
}

const opcodes = { continuation: 0, text: 1, close: 8, ping: 9, pong: 10 } as const
const mostBytes = 10_000_000
const pingMs = 10_000

/** Answers an upgrade with a connection. */
export function acceptWebSocket(request: IncomingMessage, socket: Duplex, listener: Listener): Connection {
  const key = request.headers["sec-websocket-key"] ?? ""
  const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64")
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  )
  const ping = setInterval(() => write(socket, opcodes.ping, Buffer.from("ping")), pingMs).unref()
  write(socket, opcodes.ping, Buffer.from("ping"))
  let isOpen = true
  const end = (): void => {
    if (!isOpen) return
    isOpen = false
    clearInterval(ping)
    socket.end()
    listener.onClose()
  }
  read(socket, {
    text: listener.onText,
    ping: (payload) => write(socket, opcodes.pong, payload),
    close(payload) {
      write(socket, opcodes.close, payload)
      end()
    },
  })
  socket.on("error", end)
  socket.on("close", end)
  return {
    send: (text) => write(socket, opcodes.text, Buffer.from(text)),
    close() {
      write(socket, opcodes.close, Buffer.from([0x03, 0xe8]))
      end()
    },
  }
}

interface Frames {
  text(text: string): void
  ping(payload: Buffer): void
  close(payload: Buffer): void
}

interface Frame {
  readonly isLast: boolean
  readonly opcode: number
  readonly payload: Buffer
  readonly size: number
}

function read(socket: Duplex, frames: Frames): void {
  let buffer: Buffer = Buffer.alloc(0)
  let pieces: Buffer[] = []
  socket.on("data", (data: Buffer) => {
    buffer = Buffer.concat([buffer, data])
    if (buffer.length > mostBytes) return void socket.destroy()
    for (let frame = frameOf(buffer); frame !== undefined; frame = frameOf(buffer)) {
      buffer = buffer.subarray(frame.size)
      if (frame.opcode === opcodes.ping) frames.ping(frame.payload)
      else if (frame.opcode === opcodes.close) frames.close(frame.payload)
      else if (frame.opcode === opcodes.text || frame.opcode === opcodes.continuation) {
        pieces.push(frame.payload)
        if (!frame.isLast) continue
        const text = Buffer.concat(pieces).toString()
        pieces = []
        frames.text(text)
      }
    }
  })
}

/** The first frame, once all of it is there. */
function frameOf(buffer: Buffer): Frame | undefined {
  if (buffer.length < 2) return undefined
  const first = buffer.readUInt8(0)
  const second = buffer.readUInt8(1)
  const short = second & 0x7f
  const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0
  const isMasked = (second & 0x80) !== 0
  const head = 2 + lengthBytes + (isMasked ? 4 : 0)
  if (buffer.length < head) return undefined
  const length =
    lengthBytes === 0 ? short : lengthBytes === 2 ? buffer.readUInt16BE(2) : Number(buffer.readBigUInt64BE(2))
  if (buffer.length < head + length) return undefined
  const payload = Buffer.from(buffer.subarray(head, head + length))
  if (isMasked) {
    const mask = buffer.subarray(head - 4, head)
    for (let index = 0; index < payload.length; index += 1) {
      payload[index] = (payload[index] as number) ^ (mask[index % 4] as number)
    }
  }
  return { isLast: (first & 0x80) !== 0, opcode: first & 0x0f, payload, size: head + length }
}

function write(socket: Duplex, opcode: number, payload: Buffer): void {
  if (socket.destroyed || socket.writableEnded) return
  const size = payload.length
  const head = size < 126 ? Buffer.alloc(2) : size < 65_536 ? Buffer.alloc(4) : Buffer.alloc(10)
  head.writeUInt8(0x80 | opcode, 0)
  head.writeUInt8(size < 126 ? size : size < 65_536 ? 126 : 127, 1)
  if (head.length === 4) head.writeUInt16BE(size, 2)
  if (head.length === 10) head.writeBigUInt64BE(BigInt(size), 2)
  socket.write(Buffer.concat([head, payload]))
}
