// The panel “Try it here”: an MCP client in the page. Loading this script starts it.

import "./no-eval.ts"
import type { Client } from "@modelcontextprotocol/client"
import { createCaller } from "./calling.ts"
import { connect } from "./connection.ts"
import { addCopyButtons } from "./copy.ts"
import { elementById } from "./dom.ts"
import { createLog } from "./log.ts"
import { createSettings } from "./settings.ts"
import { createSignIn, who } from "./sign-in.ts"
import { createStage } from "./stage.ts"
import { createToolList } from "./tools.ts"
import { createWire } from "./wire.ts"

const stage = createStage()
const log = createLog()
const signIn = createSignIn(stage)
const wire = createWire(log, { signIn: () => signIn(caller.signal()), lost: () => void disconnect() })
const profile = createSettings(() => {
  caller.giveUp("The client was changed. Try again to call with the new one.")
  void reconnect().catch(tellFailure)
})
const caller = createCaller(stage, () => connection())
const tools = createToolList(({ name, title = name }, args) => caller.call({ tool: name, title, args }))

interface Open {
  readonly client: Promise<Client>
  readonly name: string | undefined
}

let open: Open | undefined

/** Returns the client of the signed-in person. After another person has signed in, a new client is connected. */
async function connection(): Promise<Client> {
  const name = await who()
  if (open !== undefined && open.name !== undefined && open.name !== name) await disconnect()
  open ??= { client: begin(), name }
  const mine = open
  try {
    const client = await mine.client
    const signedIn = mine.name ?? (await who())
    if (open === mine) open = { client: mine.client, name: signedIn }
    tellWho(signedIn)
    return client
  } catch (error) {
    if (open === mine) open = undefined
    throw error
  }
}

async function begin(): Promise<Client> {
  const client = await connect(profile(), {
    fetch: wire,
    asked: caller.asked,
    completed: caller.completed,
    toolsChanged: () => void list(client).catch(tellFailure),
  })
  await list(client)
  return client
}

async function list(client: Client): Promise<void> {
  const { tools: offered } = await client.listTools()
  tools.show(offered)
}

async function disconnect(): Promise<void> {
  const last = open
  open = undefined
  const client = await last?.client.catch(() => undefined)
  await client?.close()
}

/** If a person is signed in, connects at once, which lists the tools. */
async function reconnect(): Promise<void> {
  await disconnect()
  const name = await who()
  tellWho(name)
  if (name !== undefined) await connection()
}

/** For background errors, which no call waits on: they go to the log. */
function tellFailure(error: unknown): void {
  log.note(error instanceof Error ? error.message : String(error))
}

function tellWho(name: string | undefined): void {
  elementById("who").textContent = name === undefined ? "Not signed in" : `Signed in as ${name}`
}

elementById("first").addEventListener("click", () => {
  caller.call({ tool: "nc_notes_list_notes", title: "List my notes", args: {} })
})
elementById("tools-sign-in").addEventListener("click", () => caller.arrive())
addCopyButtons()
void reconnect().catch(tellFailure)
