// The version of this package, as it is installed.

import { readFileSync } from "node:fs"

let known: string | undefined

export const version = (): string => (known ??= readVersion())

function readVersion(): string {
  const found: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
  return typeof found === "object" && found !== null && "version" in found ? String(found.version) : "unknown"
}
