// Refunds that a person has to approve: the one file that knows Holdpoint, for every framework.

import { choice, form, paths } from "@holdpoint/hub"
import { openKeyFile } from "@holdpoint/hub/sealing"
import { openSqlite } from "@holdpoint/hub/sqlite"
import { createHoldpoint, type Holdpoint } from "@holdpoint/server"

const approver = { tenant: "local", issuer: "local", subject: "me" }

/** Stops here until the approver has answered. */
export async function refund(order: string): Promise<string> {
  const { hub, addresses } = await holdpoint()
  const asked = await hub.ask({
    message: `Refund order ${order}?`,
    form: form({ decision: choice({ refund: "Refund it", keep: "Keep the money" }, { title: "Decision" }) }),
    audience: approver,
    requester: { id: "shop", name: "Shop" },
  })
  console.log(`Order ${order} is waiting for an answer: ${addresses.to(paths.question, asked.id)}`)
  const outcome = await hub.wait(asked)
  if (outcome.status !== "completed") return `Order ${order} is not refunded: the question was ${outcome.status}.\n`
  return `Order ${order} is ${outcome.content.decision === "refund" ? "" : "not "}refunded.\n`
}

/** Serves the pages where people answer. */
export const pages = async (request: Request): Promise<Response> => (await holdpoint()).fetch(request)

let opened: Promise<Holdpoint> | undefined

/** Opened by the first request, and not by a build that only imports this file. */
function holdpoint(): Promise<Holdpoint> {
  opened ??= open()
  return opened
}

async function open(): Promise<Holdpoint> {
  return createHoldpoint({
    storage: await openSqlite("holdpoint.db"),
    keys: openKeyFile("holdpoint.keys", { mayCreate: true, warn: console.warn }),
    publicUrl: `http://127.0.0.1:${process.env.PORT ?? 3000}`,
    // You, at this machine, without a sign-in.
    people: { from: "local", user: approver.subject },
  })
}
