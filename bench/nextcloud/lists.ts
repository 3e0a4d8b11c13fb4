// How much of a model's context the tool list takes: characters of the listed JSON divided by four. Listed for a client that
// can open pages and a caller without an account, which is when all chosen tools are in the list.

import type { Toolset } from "@holdpoint/nextcloud"
import { defaultToolsets, toolsets } from "@holdpoint/nextcloud"
import type { Area } from "../bench.ts"
import { listModern } from "../mcp/client.ts"
import { resource } from "../mcp/tokens.ts"
import type { Result } from "../result.ts"
import { openServers } from "./servers.ts"

const charactersForToken = 4

/** Never called: no account is connected. */
const cloud = { url: "http://127.0.0.1:9", user: "unused", password: "", note: 0 }

const sets: Readonly<Record<string, readonly Toolset[]>> = {
  all: toolsets,
  default: defaultToolsets,
  "notes,calendar,contacts": ["notes", "calendar", "contacts"],
  "notes,files,calendar": ["notes", "files", "calendar"],
  ...Object.fromEntries(toolsets.map((name) => [`only/${name}`, [name]])),
}

export const measureLists: Area = async (bench) => {
  const results: Result[] = []
  for (const [name, chosen] of Object.entries(sets)) {
    bench.progress(`tools/list, ${name}`)
    const tools = await listed(chosen)
    const size = JSON.stringify({ tools }).length / charactersForToken
    results.push({ name: `nextcloud/list/${name}/tools`, value: tools.length, unit: "tools" })
    results.push({ name: `nextcloud/list/${name}`, value: Math.ceil(size), unit: "tokens" })
  }
  return results
}

export async function listed(chosen: readonly Toolset[]): Promise<readonly unknown[]> {
  const choice = { toolsets: new Set(chosen), readOnly: false }
  const servers = await openServers({ location: { engine: "memory" }, cloud, choice, isConnected: false })
  try {
    const { tools } = await listModern({ url: resource, token: servers.token, fetch: servers.ours })
    return tools
  } finally {
    await servers.close()
  }
}
