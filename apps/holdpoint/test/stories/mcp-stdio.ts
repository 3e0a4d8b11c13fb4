// The MCP server of the stories as a process on the user's machine: over stdio, with pages for that person. Tests pass
// it the addresses of Example Notes and of the notes API.

import { randomBytes } from "node:crypto"
import { createMemoryStorage, paths } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import { createMcp } from "@holdpoint/mcp"
import type { Oidc } from "@holdpoint/testkit/accounts/vault/providers/oidc"
import { notesProvider } from "@holdpoint/testkit/holdpoint/pages/world"
import { startServer } from "../../src/serve/server.ts"
import { createNotes } from "./mcp-tool.ts"

const [issuer = "", api = ""] = process.argv.slice(2)

const keys = withNewKey()
const storage = createMemoryStorage()
const server = await startServer({
  ...{ storage, keys, host: "localhost", port: 0, network: { allowLoopback: true } },
  people: { from: "local", user: "ally", secret: randomBytes(32) },
  providers: [notesProvider({ issuer } as Oidc, { api: [api], authorizationParameters: { prompt: "login consent" } })],
})
const mcp = createMcp({
  ...server,
  name: "Note robot",
  callers: server.callersAt(paths.mcp),
  server: () => createNotes(api),
})
mcp.stdio()

process.stdin.on("end", async () => {
  await mcp.close()
  await server.close()
  await storage.close()
})
