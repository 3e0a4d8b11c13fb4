// The stage of the stories with stock useChat: a server whose agents ask, with a chat page beside them on its own origin.

import { fileURLToPath } from "node:url"
import type { AgentsConfig } from "@holdpoint/agents"
import { scriptedModel } from "@holdpoint/agents"
import { createMemoryStorage } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import { withWatchedLogs } from "@holdpoint/testkit/agents/watched-logs"
import { openBrowser } from "@holdpoint/testkit/browser"
import { freePort } from "@holdpoint/testkit/free-port"
import type { Page } from "playwright-core"
import { rolldown } from "rolldown"
import { createAgents, readAgents } from "../../../src/agents.ts"
import { type Server, startServer } from "../../../src/serve/server.ts"
import { openPeople, type People } from "../people.ts"

export interface ChatStage extends People {
  server(): Server
  readonly deeds: string[]
  /** Opens the chat page with these settings, in a tab of alice's browser. */
  open(settings: string, beside?: Page): Promise<Page>
  /** Ends the server and starts another one on the same storage and port. */
  restart(): Promise<void>
  close(): Promise<void>
}

function travelAgents(deeds: string[]): AgentsConfig["agents"] {
  const model = scriptedModel(({ message, step, results }) => {
    if (step > 0) return { text: `I heard: ${results.map(({ output }) => String(output)).join(", ")}.` }
    if (message.includes("trip")) return { text: "One moment.", calls: [{ tool: "plan_trip", input: {} }] }
    if (message.includes("delete")) return { text: "Let me see.", calls: [{ tool: "delete_note", input: { id: 7 } }] }
    return { text: `You said: ${message}` }
  })
  return {
    helper: {
      model,
      policies: { delete_note: "ask" },
      tools: {
        plan_trip: {
          ...{ description: "Plans a trip", inputSchema: { type: "object", properties: {} } },
          handle: async (_: unknown, ask) => {
            const properties = { where: { type: "string" } } as const
            const { where } = await ask.form("where", "Where to?", { type: "object", properties, required: ["where"] })
            return `to ${where}`
          },
        },
        delete_note: {
          description: "Deletes a note",
          inputSchema: { type: "object", properties: { id: { type: "number" } } },
          execute: ({ id }: { id: number }) => {
            deeds.push(`deleted ${id}`)
            return `note ${id} is gone`
          },
        },
      },
    },
  }
}

export async function openChatStage(more: Partial<AgentsConfig> = {}): Promise<ChatStage> {
  const [browser, script] = await Promise.all([openBrowser(), pageScript()])
  const [storage, keys, deeds]: [ReturnType<typeof createMemoryStorage>, ReturnType<typeof withNewKey>, string[]] = [
    createMemoryStorage(),
    withNewKey(),
    [],
  ]
  const agents = readAgents({ agents: travelAgents(deeds), ...more } as never)
  const start = (port: number): Promise<Server> =>
    startServer({
      ...{ storage, keys, host: "localhost", port, people: { from: "embedded" } },
      mounts: (site) => [createAgents(withWatchedLogs(site), agents), pageMount(script)],
    })
  let server = await start(await freePort())
  const people = openPeople(browser, server.publicUrl)
  return {
    ...people,
    ...{ deeds, server: () => server },
    async open(settings, beside) {
      const page = beside === undefined ? await people.arriveAs("alice") : await beside.context().newPage()
      await page.goto(`${server.publicUrl}/chat-page?${settings}`)
      await page.getByLabel("Message").waitFor()
      return page
    },
    async restart() {
      const port = Number(new URL(server.publicUrl).port)
      await server.close()
      server = await start(port)
    },
    close: () => server.close(),
  }
}

const pageMount = (script: string) => ({
  handles: (path: string) => path.startsWith("/chat-page"),
  fetch: async (request: Request) =>
    request.url.endsWith(".js")
      ? new Response(script, { headers: { "content-type": "text/javascript" } })
      : new Response(page, { headers: { "content-type": "text/html; charset=utf-8" } }),
  close: async () => {},
})

const page = `<!doctype html><html lang="en"><title>Chat</title><link rel="icon" href="data:,"><div id="chat"></div>
<script type="module" src="/chat-page.js"></script></html>`

let script: Promise<string> | undefined
const pageScript = (): Promise<string> => (script ??= bundle())

async function bundle(): Promise<string> {
  const bundled = await rolldown({
    ...{ input: fileURLToPath(new URL("page.js", import.meta.url)), platform: "browser", logLevel: "silent" },
    transform: { define: { "process.env.NODE_ENV": '"production"' } },
  })
  const { output } = await bundled.generate({ format: "esm" })
  await bundled.close()
  return output[0].code
}
