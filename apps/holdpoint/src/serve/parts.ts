// The parts of `holdpoint serve`, by its settings. The code of each is imported only here, when it is set up: a server
// needs no package of a part that it does not have.

import type { EmailOptions } from "@holdpoint/email"
import { HoldpointError } from "@holdpoint/hub"
import { apiResource } from "@holdpoint/server/http"
import type { Part } from "@holdpoint/server/parts"
import type { SlackPart } from "@holdpoint/slack"
import type { Settings } from "../config.ts"
import type { StorageSession } from "../session.ts"
import { version } from "../version.ts"
import { webhookNetworkOf } from "../webhook-network.ts"
import type { ServerOptions } from "./server.ts"

/** The parts, and what the authorization server needs for them. */
export interface ServedParts {
  readonly parts: readonly Part[]
  readonly authorization?: ServerOptions["authorization"]
}

export async function loadParts({
  settings,
  storage,
}: Pick<StorageSession, "settings" | "storage">): Promise<ServedParts> {
  const { webhooks } = await import("@holdpoint/webhooks")
  const slack = settings.slack === undefined ? undefined : await loadSlack(settings.slack, storage)
  const email = settings.email === undefined ? undefined : await loadEmail(settings.email)
  const served = settings.agents === undefined ? undefined : await loadAgents(settings.agents, settings, slack)
  // Closed in the opposite order: Slack before the agents that its messages reach.
  const parts = [webhooks(webhookNetworkOf(settings)), served?.part, slack, email].filter((part) => part !== undefined)
  return { parts, ...(served === undefined ? {} : { authorization: served.authorization }) }
}

/** Reads the settings of the agents, and loads the agents with their surfaces. */
async function loadAgents(
  section: Readonly<Record<string, unknown>>,
  settings: Settings,
  slack: SlackPart | undefined,
): Promise<{ readonly part: Part; readonly authorization: NonNullable<ServerOptions["authorization"]> }> {
  const { a2a, a2aResource, agents, mcpResource, readAgents, runResource, slackChat } = await import("../agents.ts")
  const overA2a = a2a({ version: version(), webhooks: webhookNetworkOf(settings) })
  const surfaces = slack === undefined ? [overA2a] : [overA2a, slackChat(slack)]
  return {
    part: agents(readAgents(section), { surfaces }),
    authorization: { resources: [runResource, mcpResource, a2aResource, apiResource], registration: {} },
  }
}

/** Loads Slack. Questions of a run that was begun in Slack are asked in its thread. */
async function loadSlack(
  settings: NonNullable<Settings["slack"]>,
  storage: StorageSession["storage"],
): Promise<SlackPart> {
  const { slack } = await import("@holdpoint/slack")
  const { createThreadOf } = await import("@holdpoint/slack/agents")
  return slack({ ...settings, threadOf: createThreadOf(storage) })
}

async function loadEmail(settings: NonNullable<Settings["email"]>): Promise<Part> {
  const options = toEmailOptions(settings)
  const { email } = await import("@holdpoint/email")
  return email(options)
}

/** Throws when a sender is set and no mail server. The error never repeats a value. */
export function toEmailOptions({ smtpUrl: url, ...email }: NonNullable<Settings["email"]>): EmailOptions {
  if (url !== undefined) return { ...email, smtp: { url } }
  throw new HoldpointError(
    "invalid_config",
    "email.from enables e-mail, but no mail server is set. Set SMTP_URL to the server's address, such as smtp://mail.example.com:587, with user:password@ before the host if the server requires them.",
  )
}
