// The actions of `holdpoint webhooks`. The secret of an endpoint is printed once, when it is created. The actions
// `test` and `again` send their event from this process, so that they can print the result.

import { HoldpointError } from "@holdpoint/hub"
import { createPrograms, type Program } from "@holdpoint/server/identity"
import {
  createEndpoints,
  createWebhookSender,
  type Endpoint,
  type Endpoints,
  type EventType,
  type WebhookDelivery,
} from "@holdpoint/webhooks"
import type { Call, ExitCode } from "./command.ts"
import { clockTime, inWords } from "./duration.ts"
import { toCommand } from "./instructions.ts"
import { withIsoTimes } from "./iso-times.ts"
import { bold, dim } from "./output.ts"
import { type StorageSession, withStorage } from "./session.ts"
import { webhookNetworkOf } from "./webhook-network.ts"
import { wrongUse } from "./wrong-use.ts"

interface ProgramContext {
  readonly call: Call
  readonly session: StorageSession
  readonly endpoints: Endpoints
  readonly program: Program
}

interface EndpointContext extends ProgramContext {
  readonly endpoint: Endpoint
}

export const setWebhook = (call: Call): Promise<ExitCode> =>
  withProgram(call, async ({ session, endpoints, program }) => {
    const url = call.args.words[2]
    if (url === undefined) throw wrongUse("The address is missing.", "Write: holdpoint webhooks set PROGRAM URL")
    const events = call.args.all("event") as readonly EventType[]
    const options = {
      url,
      ...(events.length === 0 ? {} : { events }),
      ...(call.args.has("all-questions") ? { hears: "audience" as const } : {}),
    }
    const { endpoint, secret } = await endpoints.set(program, options, session.settings.me)
    if (call.args.has("json")) call.out.json({ ...toPublic(endpoint), ...(secret === undefined ? {} : { secret }) })
    else if (secret !== undefined) call.out.say(secret)
    call.out.note("The webhook of ", bold(program.name), ` sends ${endpoint.events.join(", ")} to ${endpoint.url}.`)
    call.out.note(
      secret === undefined
        ? "Its secret has not changed."
        : "This is its secret, shown once. With it, the receiver verifies that events come from this server.",
    )
    return 0
  })

export const listWebhooks = (call: Call): Promise<ExitCode> =>
  withStorage(call, { mustExist: true }, async (session) => {
    const { tenant } = session.settings.me
    const programs = await createPrograms({ storage: session.storage, runtime: call.io.runtime }).list(tenant)
    const endpoints = await open(call, session).list(tenant)
    const entries = endpoints.flatMap((endpoint) => {
      const program = programs.find(({ id }) => id === endpoint.id)
      return program === undefined ? [] : [{ endpoint, program }]
    })
    if (call.args.has("json")) {
      call.out.json(entries.map(({ endpoint, program }) => ({ program: program.name, ...toPublic(endpoint) })))
      return 0 as const
    }
    if (entries.length === 0) call.out.say("No program has a webhook. To set one: holdpoint webhooks set PROGRAM URL")
    for (const { endpoint, program } of entries) {
      call.out.say(bold(program.name), `  ${endpoint.url}  `, dim(stateWords(endpoint, call.io.runtime.now())))
      call.out.say(`    ${endpoint.events.join(", ")} of ${eventWords(endpoint)}`)
    }
    return 0 as const
  })

export const listDeliveries = (call: Call): Promise<ExitCode> =>
  withEndpoint(call, async ({ endpoints, endpoint }) => {
    const limit = limitIn(call)
    const deliveries = await endpoints.deliveries(endpoint, limit)
    if (call.args.has("json")) call.out.json(deliveries.map(toPublicDelivery))
    else if (deliveries.length === 0) call.out.say("Nothing was sent in the last 7 days.")
    else for (const one of deliveries) printDelivery(call, one)
    return 0
  })

export const sendTest = (call: Call): Promise<ExitCode> =>
  withEndpoint(call, async (context) => {
    const { endpoints, endpoint, session } = context
    assertActive(context)
    return sendAndPrint(context, await endpoints.test(endpoint, session.settings.me))
  })

export const sendAgain = (call: Call): Promise<ExitCode> =>
  withEndpoint(call, async (context) => {
    const { endpoints, endpoint, session } = context
    const id = call.args.words[2]
    if (id === undefined) throw wrongUse("The delivery is missing.", "Write: holdpoint webhooks again PROGRAM DELIVERY")
    assertActive(context)
    const delivery = await endpoints.again(endpoint, id, session.settings.me)
    if (delivery !== undefined) return sendAndPrint(context, delivery)
    const list = toCommand(["webhooks", "deliveries", call.args.words[1] ?? ""], session.settings)
    throw new HoldpointError("not_found", `There is no delivery “${id}”. \`${list}\` lists those of the last 7 days.`)
  })

export const rotateSecret = (call: Call): Promise<ExitCode> =>
  withEndpoint(call, async ({ endpoints, endpoint, session, program }) => {
    const secret = await endpoints.rotate(endpoint.id, session.settings.me)
    if (call.args.has("json")) call.out.json({ program: program.name, secret })
    else call.out.say(secret ?? "")
    call.out.note("This is the new secret, shown once. For a day, events are signed with the old secret as well.")
    return 0
  })

export const pauseWebhook = (call: Call): Promise<ExitCode> =>
  withEndpoint(call, async ({ endpoints, endpoint, session, program }) => {
    await endpoints.pause(endpoint.id, session.settings.me)
    call.out.say(`Nothing is sent to ${program.name} until \`holdpoint webhooks resume\`. Its events are kept.`)
    return 0
  })

export const resumeWebhook = (call: Call): Promise<ExitCode> =>
  withEndpoint(call, async ({ endpoints, endpoint, session, program }) => {
    await endpoints.resume(endpoint.id, session.settings.me)
    call.out.say(`Events are sent to ${program.name} again, beginning with those that were kept.`)
    return 0
  })

export const removeWebhook = (call: Call): Promise<ExitCode> =>
  withEndpoint(call, async ({ endpoints, endpoint, session, program }) => {
    await endpoints.remove(endpoint.id, session.settings.me)
    call.out.say(`Events are no longer sent to ${program.name}. Its key still works.`)
    return 0
  })

const open = ({ io }: Call, { storage, sealer, settings }: StorageSession): Endpoints =>
  createEndpoints({ storage, sealer, runtime: io.runtime, network: webhookNetworkOf(settings) })

function withProgram(call: Call, work: (context: ProgramContext) => Promise<ExitCode>): Promise<ExitCode> {
  const programNameOrId = call.args.words[1]
  if (programNameOrId === undefined)
    throw wrongUse("The program is missing.", `Write: holdpoint webhooks ${call.args.words[0]} PROGRAM`)
  return withStorage(call, { mustExist: true }, async (session) => {
    const programs = createPrograms({ storage: session.storage, runtime: call.io.runtime })
    const all = await programs.list(session.settings.me.tenant)
    const [program, second] = all.filter(({ id, name }) => name === programNameOrId || id === programNameOrId)
    if (program === undefined) {
      const list = toCommand(["programs", "list"], session.settings)
      throw new HoldpointError("not_found", `There is no program “${programNameOrId}”. \`${list}\` lists them.`)
    }
    if (second !== undefined)
      throw wrongUse(
        `More than one program has the name “${programNameOrId}”.`,
        "Write the id of one of them: the part of its key between hp_ and the next _, as `holdpoint programs list` shows it.",
      )
    return work({ call, session, endpoints: open(call, session), program })
  })
}

const withEndpoint = (call: Call, work: (context: EndpointContext) => Promise<ExitCode>): Promise<ExitCode> =>
  withProgram(call, async (context) => {
    const endpoint = await context.endpoints.get(context.program.id)
    if (endpoint !== undefined) return work({ ...context, endpoint })
    const set = toCommand(["webhooks", "set", context.program.name, "URL"], context.session.settings)
    throw new HoldpointError("not_found", `${context.program.name} has no webhook. To set one: ${set}`)
  })

function assertActive({ endpoint, program }: EndpointContext): void {
  if (endpoint.state !== "active")
    throw wrongUse(
      `The webhook of ${program.name} is ${endpoint.state}.`,
      "Resume it first: holdpoint webhooks resume PROGRAM",
    )
}

/** Sends a delivery from this process, unless `holdpoint serve` has sent it already or is sending it. */
async function sendAndPrint({ call, session }: EndpointContext, delivery: WebhookDelivery): Promise<ExitCode> {
  const { storage, sealer, settings } = session
  const { publicUrl = `http://${settings.pages.host}:${settings.pages.port}` } = settings.pages
  const sender = createWebhookSender({
    ...{ storage, sealer, runtime: call.io.runtime, publicUrl, network: webhookNetworkOf(settings) },
  })
  const result = (await sender.send(delivery)) ?? delivery
  if (call.args.has("json")) call.out.json(toPublicDelivery(result))
  else printDelivery(call, result)
  return result.state === "accepted" || result.lease !== undefined ? 0 : 1
}

function limitIn({ args }: Call): number {
  const text = args.one("limit") ?? "20"
  if (/^\d{1,4}$/.test(text) && Number(text) > 0) return Number(text)
  throw wrongUse(`--limit cannot be “${text}”.`, "Write a whole number from 1 to 9999.")
}

function printDelivery({ out, io }: Call, delivery: WebhookDelivery): void {
  const { id, type, question, at, attempts } = delivery
  const now = io.runtime.now()
  out.say(bold(type), `  ${deliveryWords(delivery, now)}  `, dim(clockTime(at, now)))
  const times = attempts === 1 ? "1 attempt" : `${attempts} attempts`
  out.say(`    ${id}${question === undefined ? "" : `, question ${question}`}, ${times}`)
}

function deliveryWords({ state, last, dueAt, lease }: WebhookDelivery, now: number): string {
  const result = last?.status === undefined ? last?.problem : `status ${last.status}`
  const resultText = result === undefined ? "" : ` (${result})`
  if (state === "accepted") return `accepted${resultText}`
  if (state === "failed") return `failed${resultText}`
  if (lease !== undefined && lease.until > now) return `being sent${resultText}`
  // A delivery that is due waits for the event before it, or for a paused endpoint to resume.
  return dueAt <= now || last === undefined
    ? `waits for its turn${resultText}`
    : `again in ${inWords(dueAt - now)}${resultText}`
}

function stateWords({ state, reason, failingSince }: Endpoint, now: number): string {
  if (state === "disabled")
    return reason === "gone" ? "disabled: the receiver answered 410" : "disabled: it failed for days"
  if (state === "paused") return "paused"
  return failingSince === undefined ? "active" : `active, failing for ${inWords(now - failingSince)}`
}

const eventWords = ({ hears }: Endpoint): string =>
  hears === "own" ? "its own questions" : "all questions that it may ask"

/** The endpoint without its secret and its internal members. */
function toPublic({ sealed: _sealed, version: _version, since: _since, formerUntil, failingSince, ...rest }: Endpoint) {
  const times = {
    ...(formerUntil === undefined ? {} : { formerSecretUntil: new Date(formerUntil).toISOString() }),
    ...(failingSince === undefined ? {} : { failingSince: new Date(failingSince).toISOString() }),
  }
  return { ...(withIsoTimes(rest) as object), ...times }
}

function toPublicDelivery({ version: _version, lease: _lease, tenant: _tenant, ...rest }: WebhookDelivery): unknown {
  return withIsoTimes(rest)
}
