// A folder of tools on disk, for tests of the catalogue.

import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { makeScratchFolder } from "@holdpoint/testkit/scratch"
import { onTestFinished } from "vitest"

export interface ToolFolder {
  readonly path: string
  /** Writes a file that is executable unless it is JSON. The folders above it are made. */
  write(name: string, text: string | Buffer | object, mode?: number): string
  at(name: string): string
}

export function makeToolFolder(): ToolFolder {
  const path = makeScratchFolder("tools")
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  const at = (name: string): string => join(path, name)
  return {
    path,
    at,
    write(name, content, mode = name.endsWith(".json") ? 0o644 : 0o755) {
      mkdirSync(dirname(at(name)), { recursive: true, mode: 0o755 })
      const isText = typeof content === "string" || Buffer.isBuffer(content)
      writeFileSync(at(name), isText ? content : JSON.stringify(content))
      chmodSync(at(name), mode)
      return at(name)
    },
  }
}

export const script = "#!/bin/sh\necho hello\n"
