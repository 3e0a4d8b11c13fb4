// Slack's limits: the stand-in accepts contents at each limit, and refuses one more with Slack's error.

import { type SlackStandIn, startSlackStandIn } from "@holdpoint/slack-stand-in"
import { WebClient } from "@slack/web-api"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ofBlocks } from "./limits/blocks.ts"
import { ofElements } from "./limits/elements.ts"
import { ofInputs } from "./limits/inputs.ts"
import type { Limit } from "./limits/limit.ts"
import { ofMessages } from "./limits/messages.ts"
import { ofViews } from "./limits/views.ts"
import { quiet } from "./quiet.ts"

const limits = [...ofMessages, ...ofBlocks, ...ofElements, ...ofInputs, ...ofViews]

let slack: SlackStandIn
let client: WebClient

beforeAll(async () => {
  slack = await startSlackStandIn({ isLimited: false })
  client = new WebClient(slack.team().botToken, {
    slackApiUrl: slack.apiUrl,
    retryConfig: { retries: 0 },
    logger: quiet,
  })
})
afterAll(() => slack.close())

describe("Slack's limits at the stand-in", () => {
  it.each(limits.map((limit) => [limit.name, limit] as const))("%s", async (_name, limit) => {
    expect(await errorOf(limit, limit.fits)).toBeUndefined()
    expect(await errorOf(limit, limit.exceeds)).toEqual({ error: limit.error, at: limit.at })
  })
})

/** Slack's error and the field that it names. Undefined when Slack accepts the contents. */
async function errorOf({ surface, at }: Limit, contents: object): Promise<unknown> {
  const call = await callOf(surface, contents)
  try {
    await client.apiCall(call.method, call.args)
    return undefined
  } catch (error) {
    const { data } = error as { readonly data: { readonly error: string; readonly errors?: readonly string[] } }
    const named = data.errors?.find((one) => one.includes(`[json-pointer:${at}]`))
    return { error: data.error, at: at === undefined ? undefined : named === undefined ? data.errors : at }
  }
}

async function callOf(surface: Limit["surface"], contents: object) {
  if (surface === "message") return { method: "chat.postMessage", args: { channel: "C0GENERAL", ...contents } }
  if (surface === "view") {
    const trigger = await freshTrigger()
    return { method: "views.open", args: { trigger_id: trigger, view: { ...view, ...contents } } }
  }
  const { ts } = await client.chat.postMessage({ channel: "C0GENERAL", text: "before" })
  if (surface === "edit") return { method: "chat.update", args: { channel: "C0GENERAL", ts, ...contents } }
  const args = { channel: "C0GENERAL", thread_ts: ts, recipient_user_id: "U0ALICE", recipient_team_id: "T0TEAM" }
  return { method: "chat.startStream", args: { ...args, ...contents } }
}

const view = { type: "modal", title: { type: "plain_text", text: "Title" }, blocks: [] }

async function freshTrigger(): Promise<string> {
  const id = slack.world.newId("trigger")
  slack.world.triggers.set(id, { team: "T0TEAM", user: "U0ALICE", at: slack.world.clock.now(), isUsed: false })
  return id
}
