// The panel “Try it here”: an MCP client in the page. Loading this script starts it.

import "./no-eval.ts"
import type { Client } from "@modelcontextprotocol/client"
import { createCaller } from "./calling.ts"
import { connect } from "./connection.ts"
import { addCopyButtons } from "./copy.ts"
import { elementById } from "./dom.ts"
import { createLog } from "./log.ts"
import { createSettings } from "./settings.ts"
import { createSignIn, signedInPerson } from "./sign-in.ts"
import { createStage } from "./stage.ts"
import { createToolList } from "./tools.ts"
import { createWire } from "./wire.ts"

const stage = createStage()
const log = createLog()
const signIn = createSignIn(stage)
const wire = createWire(log, { signIn: () => signIn(caller.signal()), onSessionLost: () => void disconnect() })
const profile = createSettings(() => {
  caller.giveUp("The client was changed. Try again to call with the new one.")
  void reconnect().catch(logFailure)
})
const caller = createCaller(stage, () => connection())
const tools = createToolList(({ name, title = name }, args) => caller.call({ tool: name, title, args }))

/** The connected client, and the person for whom it was connected. */
interface OpenClient {
  readonly client: Promise<Client>
  readonly name: string | undefined
}

let openClient: OpenClient | undefined

/** Returns the client of the signed-in person. After another person has signed in, a new client is connected. */
async function connection(): Promise<Client> {
  const name = await signedInPerson()
  if (openClient !== undefined && openClient.name !== undefined && openClient.name !== name) await disconnect()
  openClient ??= { client: begin(), name }
  const current = openClient
  try {
    const client = await current.client
    const signedIn = current.name ?? (await signedInPerson())
    if (openClient === current) openClient = { client: current.client, name: signedIn }
    showPerson(signedIn)
    return client
  } catch (error) {
    if (openClient === current) openClient = undefined
    throw error
  }
}

async function begin(): Promise<Client> {
  const client = await connect(profile(), {
    fetch: wire,
    elicit: caller.elicit,
    completed: caller.completed,
    toolsChanged: () => void list(client).catch(logFailure),
  })
  await list(client)
  return client
}

async function list(client: Client): Promise<void> {
  const { tools: offeredTools } = await client.listTools()
  tools.show(offeredTools)
}

async function disconnect(): Promise<void> {
  const previous = openClient
  openClient = undefined
  const client = await previous?.client.catch(() => undefined)
  await client?.close()
}

/** Disconnects, and connects again if a person is signed in, so that the tools are listed. */
async function reconnect(): Promise<void> {
  await disconnect()
  const name = await signedInPerson()
  showPerson(name)
  if (name !== undefined) await connection()
}

/** Writes a background error to the log of the panel, because no call can show it. */
function logFailure(error: unknown): void {
  log.note(error instanceof Error ? error.message : String(error))
}

function showPerson(name: string | undefined): void {
  elementById("who").textContent = name === undefined ? "Not signed in" : `Signed in as ${name}`
}

elementById("first").addEventListener("click", () => {
  caller.call({ tool: "nc_notes_list_notes", title: "List my notes", args: {} })
})
elementById("tools-sign-in").addEventListener("click", () => caller.signIn())
addCopyButtons()
void reconnect().catch(logFailure)
