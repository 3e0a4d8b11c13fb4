// Both servers in plain JavaScript, as people install them. Ours is packed as published; the bare server is the SDK on
// stdio with one tool.

import { mkdir, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"

const bareProgram = `
import { McpServer } from "@modelcontextprotocol/server"
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { z } from "zod"

serveStdio(() => {
  const server = new McpServer({ name: "bare", version: "1.0.0" })
  server.registerTool("get_note", { inputSchema: z.object({ note_id: z.number() }) }, async ({ note_id }) => {
    const response = await fetch("https://cloud.example/index.php/apps/notes/api/v1/notes/" + note_id)
    return { content: [{ type: "text", text: await response.text() }] }
  })
  return server
})
`

export interface ServerPrograms {
  /** The arguments for Node. */
  readonly ours: readonly string[]
  readonly bare: readonly string[]
}

/** `build` is inside the repository, where both find their dependencies. */
export async function prepareServers(build: string): Promise<ServerPrograms> {
  await mkdir(join(build, "node_modules", "@holdpoint"), { recursive: true })
  await symlink(join(build, "holdpoint"), join(build, "node_modules", "@holdpoint", "sdk"))
  await symlink(join(build, "nextcloud"), join(build, "node_modules", "@holdpoint", "nextcloud"))
  await writeFile(join(build, "bare.mjs"), bareProgram)
  const ours = [join(build, "server", "bin", "holdpoint.js"), "nextcloud", "--host", "https://cloud.example"]
  return { ours, bare: [join(build, "bare.mjs")] }
}
