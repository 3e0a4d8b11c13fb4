// The official MCP client, which starts `holdpoint shell` on stdio. Without a person it cannot be asked anything.

import { join } from "node:path"
import { Client, type ElicitResult, type ProgressCallback } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"

export type Person = (question: { readonly message: string; readonly url?: string }) => ElicitResult

export interface Result {
  /** The text for the model. */
  readonly text: string
  /** The structured content, which programs read. */
  readonly data: unknown
}

export interface ConnectedClient {
  call(name: string, args: Readonly<Record<string, unknown>>, onStep?: (step: string) => void): Promise<Result>
  close(): Promise<void>
}

const command = join(import.meta.dirname, "../../apps/holdpoint/bin/holdpoint.js")
const tools = join(import.meta.dirname, "tools")

/**
 * `folder` has the settings and the database. People would write `npx holdpoint shell tools` into the settings of their
 * client.
 */
export async function connect(folder: string, person?: Person): Promise<ConnectedClient> {
  const capabilities = person === undefined ? {} : { elicitation: { form: {}, url: {} } }
  const client = new Client({ name: "client", version: "1.0.0" }, { capabilities })
  if (person !== undefined) client.setRequestHandler("elicitation/create", async ({ params }) => person(params))
  const more = person === undefined ? ["--no-pages"] : ["--config", join(folder, "holdpoint.config.mjs")]
  const args = [command, "shell", tools, "--database", join(folder, "scripts.db"), ...more]
  // Not “inherit”: on a terminal of yours, the server would show links there instead of giving them to the client.
  const env = { ...process.env, HOLDPOINT_OPEN_BROWSER: "false" } as Record<string, string>
  const transport = new StdioClientTransport({ command: process.execPath, args, env, stderr: "pipe" })
  transport.stderr?.on("data", (chunk: Buffer) => process.stderr.write(chunk))
  await client.connect(transport)
  return {
    async call(name, args, onStep) {
      const onprogress: ProgressCallback = ({ progress, total, message }) => {
        if (total !== undefined) onStep?.(`${progress}/${total} ${message}`)
      }
      const result = await client.callTool({ name, arguments: { ...args } }, onStep === undefined ? {} : { onprogress })
      const [first] = result.content
      return { text: first?.type === "text" ? first.text : "", data: result.structuredContent }
    },
    close: () => client.close(),
  }
}
