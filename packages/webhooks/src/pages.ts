// The page of a program's webhook, and the section of the account page. The person who sees the program on their account
// page sets, tests, pauses and removes its webhook.

import { isHoldpointError, type Problem } from "@holdpoint/hub"
import { pathTo } from "@holdpoint/hub/internal"
import type { Program } from "@holdpoint/server/identity"
import {
  type Guest,
  type OpenPart,
  posted,
  programsShownTo,
  type Route,
  refuseLink,
  toPage,
  toRedirect,
  toTop,
  type Visit,
} from "@holdpoint/server/parts"
import type { Endpoints, NewEndpoint } from "./endpoints.ts"
import { type EventType, eventTypes } from "./map.ts"
import { type ProgramWebhookView, type WebhookView, webhookPage, webhookSection } from "./page-views.ts"
import { webhookPaths } from "./paths.ts"
import type { Endpoint } from "./records.ts"
import type { Webhooks } from "./webhooks.ts"

/** The webhook endpoints of programs, and the function that sends one event immediately. */
export interface PageWebhooks extends Pick<Webhooks, "send"> {
  readonly endpoints: Endpoints
}

const mostShown = 20

export function createWebhookPages(webhooks: PageWebhooks): Pick<OpenPart, "pages" | "accountSection"> {
  const show: Route = async (visit) => {
    const guest = await visit.site.gate.enter(visit.request, "account")
    if (guest instanceof Response) return guest
    const webhook = await find(webhooks, visit, guest)
    return webhook === undefined ? refuseLink() : toPage(await render(webhook), { cookies: guest.cookies })
  }
  const change: Route = (visit) =>
    posted(visit, async (guest, fields) => {
      const webhook = await find(webhooks, visit, guest)
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
  return {
    pages: [
      { method: "GET", path: webhookPaths.program, route: show },
      { method: "POST", path: webhookPaths.program, route: change },
    ],
    async accountSection(site, guest) {
      const programs = await programsShownTo(site, guest)
      if (programs.length === 0) return undefined
      const endpoints = await webhooks.endpoints.list(guest.principal.tenant)
      return webhookSection(programs.map((program) => toView(program, endpoints)))
    },
  }
}

function toView(program: Program, endpoints: readonly Endpoint[]): ProgramWebhookView {
  const endpoint = endpoints.find(({ id }) => id === program.id)
  const isFailing = endpoint?.state === "active" && endpoint.failingSince !== undefined
  return {
    program: program.name,
    href: pathOf(program),
    state: isFailing ? "failing" : (endpoint?.state ?? "none"),
  }
}

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

async function find(webhooks: PageWebhooks, visit: Visit, guest: Guest): Promise<ProgramWebhook | undefined> {
  const program = (await programsShownTo(visit.site, guest)).find(({ id }) => id === visit.part("id"))
  if (program === undefined) return undefined
  const endpoint = await webhooks.endpoints.get(program.id)
  return { visit, guest, webhooks, program, ...(endpoint === undefined ? {} : { endpoint }) }
}

const pathOf = ({ id }: Program): string => pathTo(webhookPaths.program, id)

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
