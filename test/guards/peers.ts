// Which optional peers an entry of the library loads, in the sources and in the published files.

import { dirname, join } from "node:path"
import { importsOf } from "./sources.ts"

/** The entries that are of no use without their peer. */
export const peersOfEntries: Readonly<Record<string, readonly string[]>> = {
  "@holdpoint/email": ["nodemailer"],
  "@holdpoint/mcp": ["@modelcontextprotocol/server"],
  "@holdpoint/mcp/client": ["@modelcontextprotocol/client"],
  "@holdpoint/a2a/client": ["@a2a-js/sdk"],
  "@holdpoint/a2a/agents": ["@a2a-js/sdk", "@holdpoint/agents"],
  "@holdpoint/a2a/internal": ["@a2a-js/sdk", "@holdpoint/agents"],
  "@holdpoint/slack/agents": ["@holdpoint/agents"],
}

/** Returns the peers that loading a file loads, those in an `import()` left out, each with a file that imports it. */
export function peersLoadedBy(
  entry: string,
  optional: readonly string[],
  textOf: (path: string) => string,
): ReadonlyMap<string, string> {
  const files = new Set([entry])
  const peers = new Map<string, string>()
  for (const path of files) {
    for (const { specifier, typeOnly, isCall } of importsOf(textOf(path))) {
      if (typeOnly || isCall) continue
      if (specifier.startsWith(".")) files.add(join(dirname(path), specifier))
      const peer = optional.find((name) => specifier === name || specifier.startsWith(`${name}/`))
      if (peer !== undefined) peers.set(peer, path)
    }
  }
  return peers
}
