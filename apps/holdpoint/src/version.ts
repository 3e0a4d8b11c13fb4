// The version of this package, as it is installed.

import { readFileSync } from "node:fs"

let cached: string | undefined

export const version = (): string => (cached ??= readVersion())

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
  return typeof manifest === "object" && manifest !== null && "version" in manifest
    ? String(manifest.version)
    : "unknown"
}
