// Collects the chunks of a body in one growing buffer. A list of them takes a hundred times their size when each is one
// byte.

export interface ByteBuffer {
  readonly size: number
  add(chunk: Uint8Array): void
  /** Returns the collected bytes, and begins again. */
  take(): Uint8Array<ArrayBuffer>
}

export function createByteBuffer(): ByteBuffer {
  let bytes = new Uint8Array(0)
  let size = 0
  return {
    get size() {
      return size
    },
    add(chunk) {
      if (size + chunk.length > bytes.length) {
        const larger = new Uint8Array(Math.max(size + chunk.length, bytes.length * 2))
        larger.set(bytes.subarray(0, size))
        bytes = larger
      }
      bytes.set(chunk, size)
      size += chunk.length
    },
    take() {
      const taken = bytes.subarray(0, size)
      bytes = new Uint8Array(0)
      size = 0
      return taken
    },
  }
}
