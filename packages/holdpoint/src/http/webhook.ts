// The page of a program's webhook. The person who sees the program on their account page sets, tests, pauses and
// removes its webhook.

import { paths, pathTo } from "../core/addresses.ts"
import { isHoldpointError, type Problem } from "../core/error.ts"
import type { Program } from "../identity/programs/records.ts"
import { type WebhookView, webhookPage } from "../surfaces/web/index.ts"
import type { NewEndpoint } from "../surfaces/webhook/endpoints.ts"
import { type EventType, eventTypes } from "../surfaces/webhook/index.ts"
import type { Endpoint } from "../surfaces/webhook/records.ts"
import { posted } from "./account.ts"
import { programsShownTo } from "./asking-program-views.ts"
import { refuseLink } from "./refusals.ts"
import { toPage, toRedirect } from "./respond.ts"
import { type Guest, type PageWebhooks, type Route, toTop, type Visit } from "./site.ts"

const mostShown = 20

export const showWebhook: Route = async (visit) => {
  const guest = await visit.site.gate.enter(visit.request, "account")
  if (guest instanceof Response) return guest
  const webhook = await find(visit, guest)
  return webhook === undefined ? refuseLink() : toPage(await render(webhook), { cookies: guest.cookies })
}

export const changeWebhook: Route = (visit) =>
  posted(visit, async (guest, fields) => {
    const webhook = await find(visit, guest)
    if (webhook === undefined) return refuseLink()
    const action = fields.get("do") ?? ""
    if (action === "set") return set(webhook, fields)
    const { endpoint } = webhook
    const act = Object.hasOwn(acts, action) ? acts[action] : undefined
    if (act === undefined || endpoint === undefined) return refuseLink()
    const details = await act({ ...webhook, endpoint }, fields)
    // A post without details to show ends with a redirect, so that reloading the page does not repeat the post.
    return details === undefined ? toRedirect(pathOf(webhook.program)) : toPage(await render(webhook, details))
  })

interface ProgramWebhook {
  readonly visit: Visit
  readonly guest: Guest
  readonly webhooks: PageWebhooks
  readonly program: Program
  readonly endpoint?: Endpoint
}

type Details = Partial<Pick<WebhookView, "secret" | "notice" | "values" | "problems">>
type Act = (
  webhook: ProgramWebhook & { readonly endpoint: Endpoint },
  fields: URLSearchParams,
) => Promise<Details | undefined>

const acts: Readonly<Record<string, Act>> = {
  async test({ webhooks, endpoint, guest }) {
    const delivery = await webhooks.send(await webhooks.endpoints.test(endpoint, guest.principal))
    if (delivery?.state === "accepted") return { notice: "The receiver accepted the test event." }
    const { status, problem } = delivery?.last ?? {}
    const problemText = status === undefined ? (problem ?? "it is still on its way") : `status ${status}`
    return { notice: `The test event has not been accepted: ${problemText}. It will be tried again later.` }
  },
  async again({ webhooks, endpoint, guest }, fields) {
    await webhooks.endpoints.again(endpoint, fields.get("delivery") ?? "", guest.principal)
    return undefined
  },
  async rotate({ webhooks, endpoint, guest }) {
    const secret = await webhooks.endpoints.rotate(endpoint.id, guest.principal)
    return secret === undefined ? undefined : { secret }
  },
  async pause({ webhooks, endpoint, guest }) {
    await webhooks.endpoints.pause(endpoint.id, guest.principal)
    return undefined
  },
  async resume({ webhooks, endpoint, guest }) {
    await webhooks.endpoints.resume(endpoint.id, guest.principal)
    return undefined
  },
  async remove({ webhooks, endpoint, guest }) {
    await webhooks.endpoints.remove(endpoint.id, guest.principal)
    return undefined
  },
}

async function set(webhook: ProgramWebhook, fields: URLSearchParams): Promise<Response> {
  const { webhooks, program, guest } = webhook
  const values = {
    url: (fields.get("url") ?? "").trim(),
    events: fields.getAll("event") as readonly EventType[],
    hears: fields.get("hears") === "audience" ? "audience" : "own",
  } satisfies NewEndpoint
  try {
    const { secret } = await webhooks.endpoints.set(program, values, guest.principal)
    return toPage(await render(webhook, secret === undefined ? { notice: "Saved." } : { secret }))
  } catch (error) {
    if (!isHoldpointError(error) || error.problems.length === 0) throw error
    return toPage(await render(webhook, { values, problems: error.problems.map(toWords) }), { status: 422 })
  }
}

const toWords = ({ path, message }: Problem) => ({
  path,
  message: `${path === "url" ? "The address" : "The list"} ${message}.`,
})

async function find(visit: Visit, guest: Guest): Promise<ProgramWebhook | undefined> {
  const { webhooks } = visit.site
  const program = (await programsShownTo(visit.site, guest)).find(({ id }) => id === visit.part("id"))
  if (webhooks === undefined || program === undefined) return undefined
  const endpoint = await webhooks.endpoints.get(program.id)
  return { visit, guest, webhooks, program, ...(endpoint === undefined ? {} : { endpoint }) }
}

const pathOf = ({ id }: Program): string => pathTo(paths.programWebhook, id)

/** Renders the page with the webhook's current state, and with the result of the last action. */
async function render({ visit, guest, webhooks, program }: ProgramWebhook, details: Details = {}) {
  const endpoint = await webhooks.endpoints.get(program.id)
  const deliveries = endpoint === undefined ? [] : await webhooks.endpoints.deliveries(endpoint, mostShown)
  return webhookPage({
    ...{ now: visit.site.runtime.now(), ...toTop(visit.site, guest), program: program.name, action: pathOf(program) },
    ...{ events: eventTypes, deliveries, ...details },
    ...(endpoint === undefined ? {} : { endpoint }),
  })
}
