// A folder of scripts behind the MCP server, in one process, for clients of every revision.

import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Hub, Principal, Storage } from "@holdpoint/hub"
import { createAddresses, createHub, createMemoryStorage, inbox } from "@holdpoint/hub"
import type { KeyRing } from "@holdpoint/hub/sealing"
import { withNewKey } from "@holdpoint/hub/sealing"
import type { Mcp, McpOptions } from "@holdpoint/mcp"
import { createMcp } from "@holdpoint/mcp"
import type {
  Answering,
  Called,
  ClientKind,
  ClientOptions,
  Endpoint,
  TestClient,
} from "@holdpoint/testkit/mcp/server/clients/client"
import { open } from "@holdpoint/testkit/mcp/server/clients/open"
import { makeScratchFolder } from "@holdpoint/testkit/scratch"
import { expect } from "vitest"
import type { ScriptLimits } from "../src/scripts.ts"
import type { ShellServer } from "../src/server.ts"
import { createShellServer } from "../src/server.ts"
import type { Catalogue, ShellTool } from "../src/tool.ts"
import type { Person } from "./person.ts"
import { createPerson } from "./person.ts"

export const alice: Principal = { tenant: "local", issuer: "https://id.example", subject: "alice" }

/** The metadata that a test writes for a tool. */
export type ToolFacts = Partial<Omit<ShellTool, "name" | "program" | "folder" | "root">>

export interface ShellOptions {
  /** The scripts by the names of their tools; each is a bash script unless it has a shebang. */
  readonly scripts: Readonly<Record<string, string>>
  readonly tools?: Readonly<Record<string, ToolFacts>>
  readonly limits?: Partial<ScriptLimits>
  readonly hasPages?: boolean
  /** Whether the client is asked for its folders, as on stdio. */
  readonly hasLocalClients?: boolean
  /** The most open questions of one person. */
  readonly openLimit?: number
  readonly passEnvironment?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Further options of the MCP server, made from its parts. */
  readonly mcp?: (parts: Pick<Shell, "hub" | "storage" | "keys">) => Partial<McpOptions>
  /** The storage and keys of an earlier server, to serve its calls after a restart. */
  readonly before?: Pick<Shell, "storage" | "keys" | "folder">
  /** Default: in memory. */
  readonly storage?: Storage
}

export interface Shell {
  readonly hub: Hub
  readonly storage: Storage
  readonly keys: KeyRing
  /** The folder that contains all files of the test. */
  readonly folder: string
  readonly tools: readonly ShellTool[]
  readonly reports: readonly string[]
  readonly server: ShellServer
  readonly mcp: Mcp
  /** alice at her inbox, and what time does to her questions. */
  readonly person: Person
  /** How clients reach the server. */
  readonly endpoint: Endpoint
  /** Reads a file below the folder of tools, as soon as the file exists. */
  read(path: string): Promise<string>
  client(kind: ClientKind, answer: Answering, options?: Partial<ClientOptions>): Promise<TestClient>
  close(): Promise<void>
}

export const publicUrl = "http://127.0.0.1:4650"

export async function openShell(options: ShellOptions): Promise<Shell> {
  const { hasPages = true, before } = options
  const folder = before?.folder ?? makeScratchFolder("shell")
  const storage = before?.storage ?? options.storage ?? createMemoryStorage()
  const keys = before?.keys ?? withNewKey()
  const hub = createHub({
    storage,
    outlets: [inbox()],
    ...(options.openLimit === undefined ? {} : { limits: { pendingPerPerson: options.openLimit } }),
  })
  const reports: string[] = []
  const report = (doing: string, error: unknown): void => void reports.push(`${doing}: ${String(error)}`)
  const catalogue = writeTools(folder, options)
  const shell = createShellServer({
    ...{
      name: "scripts",
      version: "0",
      catalogue,
      hasPages,
      hasLocalClients: options.hasLocalClients ?? false,
      report,
    },
    passEnvironment: options.passEnvironment ?? [],
    env: { ...process.env, ...options.env },
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  })
  const addresses = hasPages ? createAddresses(publicUrl) : ("none" as const)
  const mcp = createMcp({
    ...{ hub, storage, keys, addresses, report, name: "Scripts", accessTools: false, strict: false },
    ...{ callers: { local: alice }, server: shell.server, bus: shell.bus },
    ...options.mcp?.({ hub, storage, keys }),
  })
  const fetch = (input: string | URL, init?: RequestInit): Promise<Response> => mcp.fetch(new Request(input, init))
  const endpoint: Endpoint = { transport: "http", url: `${publicUrl}/mcp`, fetch }
  const person = createPerson(storage, alice)
  const clients: TestClient[] = []
  return {
    ...{ hub, storage, keys, folder, tools: catalogue.tools(), reports, server: shell, mcp, person, endpoint },
    read: (path) => readWhenThere(join(folder, "tools", path)),
    async client(kind, answer, more = {}) {
      const client = await open(kind, endpoint, { answer, ...more })
      clients.push(client)
      return client
    },
    async close() {
      await Promise.all(clients.map((client) => client.close()))
      await shell.close()
      await mcp.close()
      await person.close()
      await hub.close()
      if (before === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function readWhenThere(path: string): Promise<string> {
  await expect.poll(() => existsSync(path)).toBe(true)
  return readFileSync(path, "utf8")
}

/** Scripts of tests leave files in the folder of their tool, where the tests find them. */
const inItsFolder = '#!/usr/bin/env bash\ncd "$(dirname "$MCP_TOOL_PATH")"\nunset OLDPWD'

function writeTools(home: string, { scripts, tools = {} }: ShellOptions): Catalogue {
  const root = join(home, "tools")
  const shellTools = Object.entries(scripts).map(([name, text]): ShellTool => {
    const folder = join(root, name)
    const program = join(folder, "tool.sh")
    mkdirSync(folder, { recursive: true })
    writeFileSync(program, text.startsWith("#!") ? text : `${inItsFolder}\n${text}`)
    chmodSync(program, 0o700)
    return {
      ...{ name, description: `The tool ${name}`, inputSchema: { type: "object" }, program, folder, root },
      ...{ progressExtendsTimeout: false, replayable: false, metadata: "{}" },
      ...tools[name],
    }
  })
  const find = (name: string): ShellTool | undefined => shellTools.find((tool) => tool.name === name)
  return { tools: () => shellTools, find, problems: () => [], onChange: () => () => {}, close() {} }
}

/** The lines of a bash script that asks in the file contract, without the SDK: `ask SLOT JSON` prints the response. */
export const plainAsk = `
ask() {
  local base="\${MCP_ELICIT_REQUEST_FILE%.request}\${1:+.$1}"
  rm -f "$base.wake" "$base.response"
  mkfifo "$base.wake"
  exec 9<>"$base.wake"
  printf '%s' "$2" > "$base.tmp"
  mv "$base.tmp" "$base.request"
  read -r _ <&9
  exec 9>&-
  cat "$base.response"
}
`

/** The request of a question with one text. */
export const nameRequest = (message: string, more: object = {}): string =>
  requestOf(message, { properties: { name: { type: "string" } }, required: ["name"] }, more)

/** The request of a question with Yes and No. */
export const confirmRequest = (message: string, more: object = {}): string =>
  requestOf(message, { properties: { confirmed: { type: "boolean" } }, required: ["confirmed"] }, more)

export const requestOf = (message: string, schema: object, more: object = {}): string =>
  JSON.stringify({ message, schema: { type: "object", ...schema }, ...more })

/** The JSON value that the script printed. */
export function printed(called: Called): unknown {
  if (called.kind === "error") throw new Error(`${called.code}: ${called.message}`)
  return JSON.parse(called.text)
}
