// Runs one cell of the matrix: the call, the person at the client, the person at the pages, and strangers at both.
// Returns what was observed, to be compared with what the cell expects.

import type { Elicitation } from "@holdpoint/hub"
import type {
  Answering,
  Called,
  JsonObject,
  Prompt,
  Reply,
  TestClient,
} from "@holdpoint/testkit/mcp/server/clients/client"
import { isObject } from "@holdpoint/testkit/mcp/server/clients/client"
import type { RawClient } from "@holdpoint/testkit/mcp/server/clients/raw"
import type { PersonAtPages } from "@holdpoint/testkit/mcp/server/person"
import { expect, vi } from "vitest"
import type { Carrier, Cell, Expected } from "./matrix.ts"

export interface Stage {
  readonly client: TestClient
  readonly person: PersonAtPages
  /** Clients of another person, on 2026-07-28 and older; and another session of alice's, where there are several. */
  readonly strangers: { readonly modern: RawClient; readonly legacy: readonly RawClient[] }
  /** The background errors that the server reported. */
  readonly reports: readonly string[]
  /** The person at the client; changed for every cell. */
  answer: Answering
}

export interface Observation extends Omit<Expected, "carrier" | "ends"> {
  readonly carrier: Carrier | "none"
  readonly ends: string
  /** Whether everything that strangers tried was refused; only where they tried. */
  readonly refused?: boolean
}

type CellRun = { readonly stage: Stage; readonly cell: Cell; readonly tool: string; readonly args: JsonObject }

export async function observeCell(stage: Stage, cell: Cell): Promise<Observation> {
  const { client, person } = stage
  client.prompts.length = 0
  client.received.length = 0
  const { transport, question, answer } = cell
  const args = { cell: `${cell.client} ${transport} ${question} ${answer}` }
  const run: CellRun = { stage, cell, tool: `ask_${question}`, args }
  const away: Promise<unknown>[] = []
  let asked: Elicitation | undefined
  let refused = true
  stage.answer = async (prompt, withdrawn) => {
    asked ??= await person.question()
    const { reply, finishing } = await atClient(run, prompt, asked, withdrawn)
    if (answer === "foreign") refused = await strangersTry(run, asked)
    if (finishing !== undefined) away.push(finishing)
    return reply
  }
  const first = await client.call(run.tool, args)
  const carrier = carrierOf(client, first)
  const isLink = carrier === "error" || carrier === "text"
  asked ??= await person.question()
  const page = isLink ? await onThePage(run, asked, first) : undefined
  const last = isLink ? await client.call(run.tool, args) : first
  await Promise.all(away)
  if (answer === "late" || answer === "expire") await answerAgain(run)
  const { status = "pending" } = (await person.hub.get(asked.id)) ?? {}
  const tracked = page?.tracked === undefined ? {} : { tracked: page.tracked }
  const foreign = answer === "foreign" ? { refused: page?.refused ?? refused } : {}
  const observation = { carrier, prompts: client.prompts.length, ends: endOf(run, last), status }
  return { ...observation, ...heardBy(client, asked), ...tracked, ...foreign }
}

/** The other messages that the client received. */
function heardBy(client: TestClient, { id }: Elicitation): Pick<Observation, "withdrawn" | "told"> {
  const requestId = requestIdOf(client)
  const isWithdrawn = requestId !== undefined && hasHeard(client, "notifications/cancelled", { requestId })
  return {
    ...(isWithdrawn ? { withdrawn: true } : {}),
    ...(hasHeard(client, ...completionOf(id)) ? { told: true } : {}),
  }
}

const completionOf = (elicitationId: string) => ["notifications/elicitation/complete", { elicitationId }] as const

const hasHeard = ({ received }: TestClient, method: string, params: JsonObject): boolean =>
  received.some((message) => message.method === method && isSubset(params, message.params))

const isSubset = (part: JsonObject, whole: unknown): boolean =>
  isObject(whole) && Object.entries(part).every(([name, value]) => whole[name] === value)

interface AtClient {
  readonly reply: Reply
  /** What happens on the page at the same time. */
  readonly finishing?: Promise<void>
}

async function atClient(
  { stage, cell }: CellRun,
  prompt: Prompt,
  asked: Elicitation,
  withdrawn: AbortSignal,
): Promise<AtClient> {
  const { person, client } = stage
  const yes = accepting(prompt, cell.answer === "invalid")
  switch (cell.answer) {
    case "decline":
    case "cancel":
      return { reply: { action: cell.answer } }
    case "expire":
    case "late":
      await (cell.answer === "late" ? person.finishes(asked, { colour: "green" }) : person.letsExpire(asked))
      // The request that the person sees is withdrawn; `answerAgain` answers it nevertheless.
      if (requestIdOf(client) !== undefined) await aborted(withdrawn)
      return { reply: yes }
    default:
      return asked.mode === "form" ? { reply: yes } : { reply: yes, finishing: finishLater(person, asked) }
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener("abort", () => resolve(), { once: true })
  })

/** Finishes after the client's accept is known, so that the accept counts. */
async function finishLater(person: PersonAtPages, asked: Elicitation): Promise<void> {
  await person.reaches(asked.id, "accepted")
  await person.finishes(asked)
}

function accepting({ url, requestedSchema }: Prompt, isInvalid: boolean): Reply {
  if (isInvalid) return { action: "accept", content: { colour: "mauve" } }
  if (url !== undefined) return { action: "accept" }
  return { action: "accept", content: isAcknowledgement(requestedSchema) ? { acknowledged: true } : { colour: "red" } }
}

const isAcknowledgement = (schema: JsonObject | undefined): boolean =>
  isObject(schema?.properties) && "acknowledged" in schema.properties

async function onThePage(
  run: CellRun,
  asked: Elicitation,
  first: Called,
): Promise<{ readonly tracked?: NonNullable<Expected["tracked"]>; readonly refused?: boolean }> {
  const { stage, cell } = run
  const { person, client } = stage
  const tracking =
    cell.client === "raw draft" && first.kind === "error" ? (client as RawClient).track(asked.id) : undefined
  const refused = cell.answer === "foreign" ? await strangersTry(run, asked) : true
  if (cell.answer === "decline" || cell.answer === "cancel") await person.says(asked, cell.answer)
  else if (cell.answer === "expire") await person.letsExpire(asked)
  else await person.finishes(asked, { colour: "red" })
  if ("expect" in cell && cell.expect.told === true) await heard(client, ...completionOf(asked.id))
  return tracking === undefined ? { refused } : { refused, tracked: trackedAs(await tracking) }
}

/** Waits for a message, which arrives on a separate stream. */
const heard = (client: TestClient, method: string, params: JsonObject): Promise<void> =>
  vi.waitFor(() => expect(hasHeard(client, method, params)).toBe(true), { timeout: 15_000, interval: 2 })

function trackedAs(called: Called): NonNullable<Expected["tracked"]> {
  if (called.kind === "error") return "error"
  const { status } = called.result
  if (status === "complete" || status === "failed") return status
  throw new Error(`tracked as ${JSON.stringify(called.result)}`)
}

/** Everything that a stranger can try who knows everything but alice's credentials. */
async function strangersTry(run: CellRun, asked: Elicitation): Promise<boolean> {
  const { stage, tool, args } = run
  const atPages = await stage.person.strangerTries(asked)
  const tried = [...(await bringState(run)), ...(await bringResponse(run)), ...(await track(run, asked))]
  const [legacy] = stage.strangers.legacy
  const own = legacy === undefined ? undefined : await legacy.call(tool, args)
  // With the same call and arguments, they are asked their own question.
  const isOwn = own?.kind !== "result" || (own.isError && !own.text.includes(asked.id))
  return isOwn && atPages.every(({ ok }) => !ok) && tried.every((isRefused) => isRefused)
}

const green: Reply = { action: "accept", content: { colour: "green" } }

async function bringState({ stage, tool, args }: CellRun): Promise<readonly boolean[]> {
  const results = stage.client.received.map(({ result }) => result).filter(isObject)
  const { requestState, inputRequests } = results.findLast((result) => result.resultType === "input_required") ?? {}
  if (requestState === undefined || !isObject(inputRequests)) return []
  const inputResponses = Object.fromEntries(Object.keys(inputRequests).map((key) => [key, green]))
  const params = { name: tool, arguments: args, requestState, inputResponses }
  const tried = await stage.strangers.modern.request("tools/call", params)
  return [tried.kind === "error" && tried.code === -32602]
}

/** Sends responses as strangers. The state of the question shows whether they were refused. */
async function bringResponse({ stage }: CellRun): Promise<readonly boolean[]> {
  const id = requestIdOf(stage.client)
  if (id === undefined) return []
  for (const stranger of stage.strangers.legacy) {
    for (const result of [green, { action: "decline" }])
      await stranger.send({ jsonrpc: "2.0", id, result }).catch(() => {})
    await stranger.listTools()
  }
  return []
}

async function track({ stage, cell }: CellRun, asked: Elicitation): Promise<readonly boolean[]> {
  const [stranger] = stage.strangers.legacy
  if (cell.client !== "raw draft" || stranger === undefined) return []
  const tried = await stranger.track(asked.id)
  return [tried.kind === "error" && tried.code === -32602]
}

/** Sends the answer again after the end, where it is a separate response. */
async function answerAgain({ stage: { client } }: CellRun): Promise<void> {
  const id = requestIdOf(client)
  if (id === undefined) return
  const result = { action: "accept", content: { colour: "red" } }
  await client.send({ jsonrpc: "2.0", id, result })
  await client.listTools()
}

const requestIdOf = ({ received }: TestClient): unknown =>
  received.findLast(({ method }) => method === "elicitation/create")?.id

function carrierOf({ received, prompts }: TestClient, called: Called): Observation["carrier"] {
  if (received.some(({ result }) => isObject(result) && result.resultType === "input_required")) return "round"
  if (prompts.some(({ requestedSchema }) => isAcknowledgement(requestedSchema))) return "acknowledge"
  if (requestIdOf({ received } as TestClient) !== undefined) return "push"
  if (called.kind === "error") return called.code === -32042 || called.code === -32000 ? "error" : "none"
  return called.isError && called.text.includes("https://hub.example/") ? "text" : "none"
}

const finals = {
  form: /^You chose (red|green)\.$/,
  url: /^Paid\.$/,
  connection: /^Connected as alice@drive\.example\.$/,
}
const newLink = /^The user has to do something first;[\s\S]*https:\/\/hub\.example\//
const refusals: readonly (readonly [Expected["ends"], RegExp])[] = [
  ["declined", /said no/],
  ["cancelled", /dismissed the question/],
  ["expired", /did not answer in time/],
  ["failed", /asked to do did not work/],
]

function endOf({ cell }: CellRun, called: Called): string {
  const isLink = called.kind === "error" ? [-32042, -32000].includes(Number(called.code)) : newLink.test(called.text)
  if (isLink) return "asked again"
  if (called.kind === "error") return `error ${called.code}: ${called.message}`
  const { isError, text } = called
  if (!isError) {
    const [, colour = "red"] = finals[cell.question].exec(text) ?? [undefined, text]
    // The answer given elsewhere counts, not the late one.
    return colour === (cell.answer === "late" && cell.question === "form" ? "green" : "red") ? "done" : text
  }
  return refusals.find(([, words]) => words.test(text))?.[0] ?? text
}
