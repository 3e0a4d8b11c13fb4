// Keeps standard output for the protocol: settings and tools of the configuration may print, and one such line would end
// the conversation with the editor.

import { Console } from "node:console"
import type { Io } from "../io.ts"

/** From now on `console` prints on standard error. Returns a function that ends this. */
export function freeOutput({ stderr }: Pick<Io, "stderr">): () => void {
  const usual = globalThis.console
  globalThis.console = new Console({ stdout: stderr, stderr })
  return () => {
    globalThis.console = usual
  }
}
