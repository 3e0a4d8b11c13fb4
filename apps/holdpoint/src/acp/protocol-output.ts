// Keeps standard output for the protocol: the configuration file and its tools may print, and one printed line would
// break the connection to the editor.

import { Console } from "node:console"
import type { Io } from "../io.ts"

/** Makes `console` print on standard error. Returns a function that restores the original console. */
export function redirectConsole({ stderr }: Pick<Io, "stderr">): () => void {
  const original = globalThis.console
  globalThis.console = new Console({ stdout: stderr, stderr })
  return () => {
    globalThis.console = original
  }
}
